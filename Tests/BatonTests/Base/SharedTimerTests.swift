import Dispatch
import RandomCases
import Testing

@testable import Baton

/// Sleeps that share the system's timers.
@Suite(.timeLimit(.minutes(20))) struct SharedTimerTests {
    /// Counts how often each sleep ends.
    private final class Ends: Sendable {
        private let counts: Guarded<[Int]>

        init(_ count: Int) { counts = Guarded(Array(repeating: 0, count: count)) }

        func note(_ number: Int) { counts.withLock { $0[number] += 1 } }

        var areOneEach: Bool { counts.withLock { $0.allSatisfy { $0 == 1 } } }
    }

    /// Counts what is kept: each request has a time limit that is cancelled when the request ends.
    @Test func aCancelledSleepIsGoneAtOnce() async throws {
        let timer = SharedTimer()
        for number in 0..<2_000 {
            let task = Task { try await timer.sleep(for: .seconds(3_600 + number % 50)) }
            if number % 2 == 0 { while timer.begun.sleeps <= number { await Task.yield() } }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(timer.count == 0)
        #expect(timer.endCount == 0)
        #expect(timer.begun.timers < 50, "each cancelled sleep keeps a timer of the system")
    }

    /// What the library sleeps for is on the shared timer, which other tests use at the same time.
    @Test func sleepsOfTheLibraryShareTheTimers() async throws {
        let before = SharedTimer.shared.begun
        let sleep = BoundedTime.sleeping(on: ContinuousClock(), since: ContinuousClock.now)
        for number in 0..<1_000 {
            let task = Task {
                if number % 2 == 0 {
                    try await BoundedTime.sleep(for: .seconds(3_600), on: ContinuousClock())
                } else {
                    try await sleep(.seconds(3_600))
                }
            }
            await Task.yield()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(SharedTimer.shared.begun.sleeps - before.sleeps >= 1_000)
    }

    @Test func sleepsEndInTheOrderOfTheirEnds() async throws {
        let timer = SharedTimer()
        let order = try await withThrowingTaskGroup(of: Int.self) { group in
            for milliseconds in [400, 20, 200, 1] {
                group.addTask {
                    let start = ContinuousClock.now
                    try await timer.sleep(for: .milliseconds(milliseconds))
                    #expect(ContinuousClock.now - start >= .milliseconds(milliseconds))
                    return milliseconds
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(order.last == 400)
        try await timer.sleep(for: .zero)
        #expect(timer.count == 0 && timer.endCount == 0)
    }

    @Test("A sleep that ends before the others does not wait for their timer, and one in the past ends at once.")
    func earlierEnds() async throws {
        let timer = SharedTimer()
        let far = Task { try await timer.sleep(for: .seconds(Int64.max)) }
        while timer.count == 0 { await Task.yield() }
        try await timer.sleep(for: .milliseconds(5))
        for past in BoundedTimeTests.past { try await timer.sleep(for: past) }
        #expect(timer.count == 1, "the far sleep goes on")
        far.cancel()
        await #expect(throws: CancellationError.self) { try await far.value }
        #expect(timer.count == 0 && timer.endCount == 0)
    }

    @Test func aTaskThatWasCancelledBeforeDoesNotSleep() async {
        let timer = SharedTimer()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await timer.sleep(for: .seconds(3_600))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(timer.count == 0 && timer.begun.timers == 0)
    }

    /// The timer resumes each task through a checked continuation, which ends the process at the second time.
    @Test("Ten thousand sleeps end once each, while other threads cancel some of them at any moment.")
    func storm() async throws {
        let timer = SharedTimer()
        let count = 10_000
        let ends = Ends(count)
        var generator = SeededGenerator(seed: 47)
        var tasks: [Task<Bool, Never>] = []
        var fates: [(duration: Duration, isCancelled: Bool)] = []
        for number in 0..<count {
            let isFar = number % 3 == 0
            let soon = Int64.random(in: 0...40_000, using: &generator)
            let duration: Duration = isFar ? .seconds(3_600) : .microseconds(soon)
            fates.append((duration, isFar || Bool.random(using: &generator)))
            tasks.append(
                Task.detached {
                    let start = ContinuousClock.now
                    defer { ends.note(number) }
                    do { try await timer.sleep(for: duration) } catch { return false }
                    #expect(ContinuousClock.now - start >= duration)
                    return true
                })
        }
        let (victims, order) = (tasks, fates.indices.filter { fates[$0].isCancelled }.shuffled(using: &generator))
        DispatchQueue.concurrentPerform(iterations: 8) { lane in
            for index in stride(from: lane, to: order.count, by: 8) { victims[order[index]].cancel() }
        }
        for (number, task) in tasks.enumerated() {
            let isWhole = await task.value
            if !fates[number].isCancelled { #expect(isWhole, "sleep \(number) was not cancelled") }
            if fates[number].duration > .seconds(60) { #expect(!isWhole, "sleep \(number) is not over") }
        }
        #expect(ends.areOneEach)
        #expect(timer.count == 0 && timer.endCount == 0)
    }
}

/// Random sleeps, cancellations and timers against a plain list.
@Suite(.timeLimit(.minutes(20))) struct SleepQueueModelTests {
    private struct Model {
        var queue = SleepQueue<UInt64>()
        var sleeps: [(end: ContinuousClock.Instant, number: UInt64)] = []
        /// The timers that were started and have not fired.
        var timers: [ContinuousClock.Instant] = []
        var now: ContinuousClock.Instant
        var made: UInt64 = 0
        var ended = 0

        mutating func start(_ timer: ContinuousClock.Instant?) {
            guard let timer else { return }
            #expect(timers.allSatisfy { timer < $0 }, "a timer is started though another fires early enough")
            timers.append(timer)
        }

        mutating func insert(_ end: ContinuousClock.Instant) {
            made += 1
            sleeps.append((end, made))
            start(queue.insert(made, made, until: end))
        }

        mutating func remove(_ number: UInt64) {
            sleeps.removeAll { $0.number == number }
            queue.remove(number)
        }

        mutating func fire(_ index: Int, late: Duration) {
            let timer = timers.remove(at: index)
            now = max(now, timer).advanced(by: late)
            let (due, next) = queue.fire(timer, at: now)
            start(next)
            let expected = sleeps.filter { $0.end <= now }.sorted { ($0.end, $0.number) < ($1.end, $1.number) }
            #expect(due == expected.map(\.number))
            sleeps.removeAll { $0.end <= now }
            ended += due.count
        }

        func check() {
            #expect(queue.count == sleeps.count)
            #expect(queue.timers == timers)
            #expect(queue.endCount <= 2 * sleeps.count + 64)
            if let first = sleeps.map(\.end).min() {
                #expect(timers.contains { $0 <= first }, "nothing wakes the sleeper that is next")
            } else {
                #expect(queue.endCount == 0)
            }
        }
    }

    @Test(arguments: RandomCases.seeds(20, from: 0 as UInt64))
    func sleepsAreThoseOfAPlainList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let start = ContinuousClock.now
        var model = Model(now: start)
        // Few different ends, so that many are equal; some are in the past, some further than anybody lives.
        let span = Int.random(in: 1...400, using: &generator)
        let share = Int.random(in: 2...8, using: &generator)
        for _ in 0..<1_500 {
            switch Int.random(in: 0..<10, using: &generator) {
            case ..<share:
                let kind = Int.random(in: 0..<20, using: &generator)
                var rest = Duration.milliseconds(Int.random(in: 0...span, using: &generator))
                if kind == 0 { rest = BoundedTime.longest }
                if kind == 1 { rest = .seconds(-3) }
                model.insert(model.now.advanced(by: rest))
            case 9 where !model.timers.isEmpty:
                // Timers may fire late and in another order.
                let last = model.timers.count - 1
                let index = Bool.random(using: &generator) ? last : Int.random(in: 0...last, using: &generator)
                model.fire(index, late: .milliseconds(Int.random(in: 0...2, using: &generator)))
            default:
                guard model.made > 0 else { continue }
                model.remove(UInt64.random(in: 1...model.made, using: &generator))
            }
            model.check()
        }
        while !model.timers.isEmpty {
            model.fire(model.timers.count - 1, late: .zero)
            model.check()
        }
        #expect(model.sleeps.isEmpty && model.queue.count == 0 && model.queue.endCount == 0)
        #expect(model.ended > 0)
    }
}
