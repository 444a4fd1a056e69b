import Dispatch
import RandomCases
import Synchronization
import Testing

@testable import Baton

@Suite(.timeLimit(.minutes(20))) struct ResponseQueueTests {
    @Test(arguments: 0..<20) func aQueueBehavesLikeAnArray(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...5, using: &random)
        let queue = ResponseQueue<Int>(limit: limit)
        var model: [Int] = []
        for number in 0..<300 {
            if Bool.random(using: &random) {
                model.append(number)
                let dropped = model.count > limit ? model.removeFirst() : nil
                #expect(queue.add(number) == dropped)
            } else if !model.isEmpty {
                #expect(try await queue.next(stop: {}) == model.removeFirst())
            }
        }
        queue.end(.failure(.cancelled))
        queue.end(.success(()))
        #expect(queue.add(300) == nil)
        for element in model { #expect(try await queue.next(stop: {}) == element) }
        await #expect(throws: RelayError.cancelled) { try await queue.next(stop: {}) }
        #expect(try await queue.next(stop: {}) == nil)
    }

    @Test func eachElementIsReadOnceByReadersThatWait() async throws {
        let queue = ResponseQueue<Int>()
        let read = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var elements: [Int] = []
                    while let element = try await queue.next(stop: {}) { elements.append(element) }
                    return elements
                }
            }
            for number in 0..<1_000 {
                queue.add(number)
                if number.isMultiple(of: 7) { await Task.yield() }
            }
            queue.end(.success(()))
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(read.sorted() == Array(0..<1_000))
    }

    @Test func aReaderThatIsCancelledEndsTheSequenceWhetherItWaitsOrNot() async throws {
        for waits in [true, false] {
            let queue = ResponseQueue<Int>()
            let stop = Stop(queue)
            let task = Task {
                if !waits { while !Task.isCancelled { await Task.yield() } }
                return try await queue.next { stop.call() }
            }
            if waits { for _ in 0..<100 { await Task.yield() } }
            task.cancel()
            #expect(try await task.value == nil)
            #expect(stop.count >= 1)
        }
    }

    @Test("A loop on an actor does not leave it for elements that have arrived.")
    func aLoopOnAnActorDoesNotLeaveIt() async throws {
        let reader = CountedActor()
        let (sum, jobs) = try await reader.read(1_000)
        #expect(sum == 499_500)
        #expect(jobs == 0)
    }
}

/// Ends a queue, and counts.
private final class Stop: Sendable {
    private let queue: ResponseQueue<Int>
    private let calls = Atomic(0)

    var count: Int { calls.load(ordering: .relaxed) }

    init(_ queue: ResponseQueue<Int>) { self.queue = queue }

    func call() {
        calls.add(1, ordering: .relaxed)
        queue.end(.success(()))
    }
}

/// An actor that counts how often it is entered.
private actor CountedActor {
    private let executor = CountingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Reads that many elements that have arrived. Returns their sum, and how often the actor was entered meanwhile.
    func read(_ count: Int) async throws -> (sum: Int, jobs: Int) {
        let queue = ResponseQueue<Int>()
        for number in 0..<count { queue.add(number) }
        queue.end(.success(()))
        let before = executor.jobs
        var sum = 0
        while let element = try await queue.next(stop: {}) { sum += element }
        return (sum, executor.jobs - before)
    }
}

private final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "counted")
    private let count = Atomic(0)

    var jobs: Int { count.load(ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) {
        count.add(1, ordering: .relaxed)
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
