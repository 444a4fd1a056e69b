import Baton
import Testing

@testable import BatonHTTP

/// A WebSocket connection over libcurl, in all orders in which its tasks, their cancellations and its thread may come.
///
/// Each scenario is a few tasks of one kind or another. The thread may meet anything at each of its steps: a connection
/// that fails, messages, a close frame, a breach, a server that takes what is sent or not, a connection that breaks.
@Suite struct CurlSocketModelTests {
    static let scenarios: [[World.Job]] = [
        [.open, .send, .send], [.send, .send, .close], [.send, .close, .close], [.receive, .send, .letGo],
        [.receive, .receive, .send], [.open, .receive, .letGo], [.receive, .close, .letGo], [.send, .close, .letGo],
    ]

    @Test(arguments: scenarios)
    func everyWaitEndsExactlyOnce(_ jobs: [World.Job]) {
        var (seen, worlds, ends) = (Set<[Int]>(), [World(jobs)], 0)
        while let world = worlds.popLast() {
            guard seen.insert(world.key).inserted else { continue }
            if let problem = world.problem {
                Issue.record("\(problem) after \(world.history)")
                return
            }
            let next = world.successors
            // Nothing more can happen: then nobody waits.
            if next.isEmpty {
                ends += 1
                if let task = world.tasks.first(where: { $0.resumed != 1 }) {
                    Issue.record("\(task) after \(world.history)")
                    return
                }
            }
            worlds += next
        }
        // A scenario whose states are few has lost some of its steps.
        #expect(seen.count > 1_000 && ends > 10, "\(seen.count) states, \(ends) ends")
    }
}

/// The state of the model.
struct World {
    enum Job: Int { case open, send, close, receive, letGo }

    struct Task {
        let job: Job
        /// The number of its wait, once it has begun.
        var waiter: Int?
        var isWaiting = false
        var isCancelled = false
        var hasHandled = false
        var resumed = 0
    }

    enum Step: Int { case connect, take, read, flush, check, wait, stopped }

    private(set) var tasks: [Task]
    private(set) var problem: String?
    private(set) var history: [String] = []
    private var link = CurlSocketState()
    private var step = Step.connect
    /// What the thread has written and the system has not taken; 0 for what nobody waits for.
    private var output: [Int] = []
    private var hasDeadline = false
    private var hasEnded = false
    private var hasRoom = true
    private var messages = 0

    init(_ jobs: [Job]) { tasks = jobs.map { Task(job: $0) } }

    var key: [Int] {
        var key = [step.rawValue, hasDeadline ? 1 : 0, hasEnded ? 1 : 0, hasRoom ? 1 : 0, messages]
        for task in tasks {
            key += [task.waiter ?? 0, task.isWaiting ? 1 : 0, task.isCancelled ? 1 : 0, task.hasHandled ? 1 : 0]
            key.append(task.resumed)
        }
        key += [link.isDropped ? 1 : 0, link.isClosing ? 1 : 0, link.opener ?? 0, link.receiver ?? 0]
        key.append(link.messages.count)
        key += [Self.kind(link.opening), Self.kind(link.end), -1] + link.senders.sorted() + [-1]
        return key + link.letters.map(\.waiter) + [-1] + output
    }

    private static func kind<Value>(_ result: Result<Value, any Error>?) -> Int {
        switch result {
        case nil: 0
        case .success: 1
        case .failure(is CancellationError): 2
        case .failure: 3
        }
    }

    private struct Broken: Error {}

    // MARK: - Moves

    /// All that may happen next.
    var successors: [World] {
        var worlds: [World] = []
        func move(_ name: String, _ change: (inout World) -> Void) {
            var world = self
            world.history.append(name)
            change(&world)
            worlds.append(world)
        }
        for (index, task) in tasks.enumerated() {
            if task.job == .letGo {
                if task.resumed == 0 {
                    move("let go") {
                        $0.tasks[index].resumed = 1
                        $0.apply($0.link.letGo())
                    }
                }
                continue
            }
            if task.waiter == nil { move("\(index) begins") { $0.tasks[index].waiter = $0.link.newWaiter() } }
            if let waiter = task.waiter, !task.isWaiting { move("\(index) waits") { $0.begin(index, waiter) } }
            if !task.isCancelled, task.job != .close, task.resumed == 0 {
                move("\(index) is cancelled") { $0.tasks[index].isCancelled = true }
            }
            // The handler of a task that was cancelled before runs when it is installed.
            if task.isCancelled, !task.hasHandled, let waiter = task.waiter {
                move("\(index) handles it") { $0.handle(index, waiter) }
            }
        }
        for (name, change) in threadMoves { move(name, change) }
        return worlds
    }

    private mutating func begin(_ index: Int, _ waiter: Int) {
        tasks[index].isWaiting = true
        let isCancelled = tasks[index].isCancelled
        switch tasks[index].job {
        case .open: apply(link.open(waiter, isCancelled: isCancelled))
        case .send: apply(link.post(.text([1]), waiter, isCancelled: isCancelled))
        case .close: apply(link.post(.close(code: 1000, reason: ""), waiter, isCancelled: false))
        case .receive: apply(link.receive(waiter, isCancelled: isCancelled))
        case .letGo: break
        }
    }

    private mutating func handle(_ index: Int, _ waiter: Int) {
        tasks[index].hasHandled = true
        switch tasks[index].job {
        case .open: apply(link.cancelOpening(waiter))
        case .send: apply(link.cancelSending(waiter))
        case .receive: apply(link.cancelReceiving(waiter))
        case .close, .letGo: break
        }
        // Who is cancelled waits for nothing: neither for the thread nor for the server.
        if tasks[index].isWaiting, tasks[index].resumed == 0 { problem = "a cancelled task goes on waiting" }
    }

    /// What the thread may do next, as `CurlSocketWorker` does it.
    private var threadMoves: [(String, (inout World) -> Void)] {
        switch step {
        case .connect:
            [
                ("connects", { $0.apply($0.link.opened("p"), then: .take) }),
                ("fails", { $0.end(.failure(Broken())) }),
            ] + dropped
        case .take: [("takes", { $0.take() })]
        case .read:
            hasEnded || !(hasRoom || hasDeadline)
                ? [("reads nothing", { $0.step = .flush })]
                : [
                    ("reads nothing", { $0.step = .flush }), ("reads", { $0.read() }),
                    ("is closed", { $0.refuse(.success(.closed(code: 1000, reason: ""))) }),
                    ("is refused", { $0.refuse(.failure(Broken())) }), ("breaks", { $0.end(.failure(Broken())) }),
                ]
        case .flush:
            [("flushes no more", { $0.step = .check })]
                + (output.isEmpty
                    ? [] : [("flushes", { $0.flush() }), ("breaks", { $0.end(.failure(Broken())) })])
        case .check:
            [("goes on", { $0.goOn() })]
                + (hasDeadline ? [("is late", { $0.stop() })] : [])
        case .wait: dropped.isEmpty ? [("looks again", { $0.step = .take })] : dropped
        case .stopped: []
        }
    }

    private var dropped: [(String, (inout World) -> Void)] {
        link.isDropped ? [("is dropped", { $0.end(.failure(CancellationError())) })] : []
    }

    private mutating func take() {
        let work = link.work()
        hasRoom = work.hasRoom
        if work.isDropped { return end(.failure(CancellationError())) }
        for letter in work.letters {
            if hasDeadline {
                apply(link.settle(letter.waiter, .failure(Broken())))
                continue
            }
            output.append(letter.waiter)
            if case .close = letter.content { hasDeadline = true }
        }
        step = .read
    }

    private mutating func read() {
        step = .flush
        guard messages < 1, !hasDeadline else { return }
        messages += 1
        apply(link.put([2]))
    }

    private mutating func refuse(_ end: Result<WebSocketMessage, any Error>) {
        apply(link.end(end))
        if !hasDeadline { output.append(0) }
        (hasDeadline, hasEnded, step) = (true, true, .flush)
    }

    private mutating func flush() {
        let waiter = output.removeFirst()
        if waiter != 0 { apply(link.settle(waiter, .success(()))) }
    }

    private mutating func end(_ end: Result<WebSocketMessage, any Error>) {
        apply(link.end(end))
        stop()
    }

    private mutating func goOn() {
        step = .wait
        if hasEnded, output.isEmpty { stop() }
    }

    private mutating func stop() {
        step = .stopped
        apply(link.stop())
    }

    // MARK: - Waits

    private mutating func apply(_ outcome: CurlSocketState.Outcome, then step: Step) {
        self.step = step
        apply(outcome)
    }

    private mutating func apply(_ outcome: CurlSocketState.Outcome) {
        let over = [outcome.opener?.waiter, outcome.receiver?.waiter, outcome.displaced].compactMap(\.self)
        for waiter in over + outcome.senders.map(\.waiter) {
            guard let index = tasks.firstIndex(where: { $0.waiter == waiter }), tasks[index].isWaiting else {
                problem = "\(waiter) is resumed and does not wait"
                return
            }
            tasks[index].resumed += 1
            if tasks[index].resumed > 1 { problem = "\(waiter) is resumed twice" }
        }
    }
}
