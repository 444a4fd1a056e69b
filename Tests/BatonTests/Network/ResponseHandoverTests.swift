import RandomCases
import Testing

@testable import Baton

@Suite struct ResponseHandoverTests {
    private static func response(_ number: Int) -> NetworkResponse {
        NetworkResponse(body: Array("\(number)".utf8), hasNext: true)
    }

    private static func number(_ response: NetworkResponse?) -> Int? {
        response.flatMap { Int(String(decoding: $0.body, as: UTF8.self)) }
    }

    /// A list to which tasks append.
    private final class Notes<Value: Sendable>: Sendable {
        private let values = Guarded<[Value]>([])
        var all: [Value] { values.withLock(\.self) }
        func add(_ value: Value) { values.withLock { $0.append(value) } }
    }

    private static func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func responsesComeInOrderAndThenTheEnd() async throws {
        let stream = AsyncThrowingStream.delivering { deliver in
            for number in 0..<100 { try await deliver(Self.response(number)) }
        }
        var numbers: [Int?] = []
        for try await response in stream { numbers.append(Self.number(response)) }
        #expect(numbers == Array(0..<100))
    }

    @Test func anErrorComesAfterTheResponses() async throws {
        let stream = AsyncThrowingStream.delivering { deliver in
            try await deliver(Self.response(1))
            throw RelayError.noResponse
        }
        var iterator = stream.makeAsyncIterator()
        #expect(Self.number(try await iterator.next()) == 1)
        await #expect(throws: RelayError.noResponse) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func aDeliveryWaitsForItsReader() async throws {
        let delivered = Notes<Int>()
        let stream = AsyncThrowingStream.delivering { deliver in
            for number in 0..<3 {
                try await deliver(Self.response(number))
                delivered.add(number)
            }
        }
        var iterator = stream.makeAsyncIterator()
        #expect(delivered.all.isEmpty)
        for number in 0..<3 {
            #expect(Self.number(try await iterator.next()) == number)
            // The delivery of the response that was taken ends; the next one waits.
            await Self.until { delivered.all.count == number + 1 }
            for _ in 0..<50 { await Task.yield() }
            #expect(delivered.all.count == number + 1)
        }
    }

    @Test func aDroppedStreamEndsTheDeliveryThatWaits() async throws {
        let ends = Notes<Bool>()
        func readOne() async throws {
            let stream = AsyncThrowingStream.delivering { deliver in
                do {
                    for number in 0..<2 { try await deliver(Self.response(number)) }
                    ends.add(false)
                } catch {
                    ends.add(error is CancellationError && Task.isCancelled)
                    throw error
                }
            }
            for try await _ in stream { break }
        }
        try await readOne()
        await Self.until { !ends.all.isEmpty }
        #expect(ends.all == [true])
    }

    @Test func aCancelledReaderCancelsTheWork() async throws {
        let began = Notes<Void>()
        let ends = Notes<Bool>()
        let stream = AsyncThrowingStream.delivering { deliver in
            began.add(())
            while !Task.isCancelled { await Task.yield() }
            ends.add(true)
            try await deliver(Self.response(1))
        }
        let reader = Task {
            var count = 0
            for try await _ in stream { count += 1 }
            return count
        }
        await Self.until { !began.all.isEmpty }
        reader.cancel()
        let result = await reader.result
        if case .success(let count) = result { #expect(count == 0) }
        await Self.until { !ends.all.isEmpty }
    }

    @Test func aCancelledDeliveryIsWithdrawn() async throws {
        let handover = ResponseHandover()
        let first = Task { try await handover.give(Self.response(1)) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await handover.give(Self.response(2)) }
        #expect(Self.number(try await handover.take()) == 2)
        try await second.value
    }

    @Test func theWorkKnowsTheScopeOfItsRequest() async throws {
        let activity = Activity()
        let scopes = Notes<Bool>()
        RequestScope.watch()
        let stream = RequestScope.$owner.withValue(RequestScope.Owner(activity, isSubscription: false)) {
            AsyncThrowingStream.delivering { _ in scopes.add(RequestScope.owner?.activity === activity) }
        }
        for try await _ in stream {}
        #expect(scopes.all == [true])
    }

    /// Several tasks give, some are cancelled, one reads: each give ends once, and what ends well was read.
    @Test(arguments: RandomCases.seeds(40)) func randomSchedulesLoseNothing(_ seed: Int) async throws {
        let handover = ResponseHandover()
        let given = Notes<Int>()
        let read = Notes<Int>()
        let reader = Task {
            while let number = Self.number(try await handover.take()) { read.add(number) }
        }
        await withTaskGroup(of: Void.self) { group in
            for giver in 0..<8 {
                let task = Task {
                    for step in 0..<20 {
                        try await handover.give(Self.response(giver * 100 + step))
                        given.add(giver * 100 + step)
                        if (giver + step + seed) % 3 == 0 { await Task.yield() }
                    }
                }
                if (giver + seed) % 4 == 0 { task.cancel() }
                group.addTask { _ = await task.result }
            }
        }
        handover.end(.success(()))
        try await reader.value
        #expect(Set(given.all) == Set(read.all) && read.all.count == given.all.count)
        for giver in 0..<8 {
            let own = read.all.filter { $0 / 100 == giver }
            #expect(own == Array(own.indices).map { giver * 100 + $0 })
        }
    }
}
