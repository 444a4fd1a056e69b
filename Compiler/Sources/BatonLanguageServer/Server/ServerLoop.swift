import BatonCompiler
import Foundation
import Synchronization

/// The threads of the language server.
///
///     reader     reads the stream, and parses messages; notes at once which requests are cancelled
///     worker     handles messages one after the other; owns the `LanguageServer`
///     judge      judges projects, one after the other
///     rest       carries out the rests of judgements
///
/// A judgement begins when no message has come for the time `settling`, or after the time `patience`, or at once if a
/// request waits for it. Its rest begins when no message has come for the time `restSettling`. Meanwhile, the last
/// judgement answers the requests that do not wait.
///
/// The worker waits until the client has taken what it writes, and the reader until the worker has handled most of what
/// was read. So a client that does not read is not read either.
package final class ServerLoop: Sendable {
    /// Returns the next bytes of the stream, at least one; nil at its end. The reader alone calls it.
    package typealias Reading = @Sendable () -> [UInt8]?
    /// Writes bytes, and waits until somebody takes them. Returns false if nobody can any more. The worker alone calls
    /// it.
    package typealias Writing = @Sendable ([UInt8]) -> Bool

    private enum Item: Sendable {
        case message(Result<Message, Message.Refusal>)
        case outcome(JudgeJob.Outcome)
        /// The client has cancelled a request, which may wait for a judgement.
        case cancellation
        case end
    }

    private let version: String
    private let read: Reading
    private let write: Writing
    private let inbox = Mailbox<Item>()
    private let jobs = Mailbox<JudgeJob?>()
    private let rests = Mailbox<JudgeJob?>()
    private let cancelled = Mutex<Set<JSONValue>>([])

    private static let settling = DispatchTimeInterval.milliseconds(20)
    private static let patience = DispatchTimeInterval.milliseconds(100)
    private static let restSettling = DispatchTimeInterval.milliseconds(300)
    /// The weight of the messages that were read and not handled, at which the reader stops: their bytes, and for each
    /// message a number of bytes that its values take besides.
    private static let unhandledLimit = 32 << 20
    private static let messageWeight = 4096
    /// The size of a thread's stack, with room for syntax that is nested as deeply as the largest limit allows.
    private static let stackSize = 16 << 20

    package init(version: String, read: @escaping Reading, write: @escaping Writing) {
        self.version = version
        self.read = read
        self.write = write
    }

    /// Serves until the client ends it or the stream ends. Returns the status of the process.
    package func run() -> Int32 {
        start("reader") { $0.readMessages() }
        start("judge") { $0.carryOut($0.jobs) }
        start("rest") { $0.carryOut($0.rests) }
        let result = Mutex<Int32>(1)
        let done = DispatchSemaphore(value: 0)
        start("worker") { loop in
            let status = loop.answerMessages()
            result.withLock { $0 = status }
            done.signal()
        }
        done.wait()
        jobs.put(nil)
        rests.put(nil)
        return result.withLock { $0 }
    }

    private func start(_ name: String, _ body: @escaping @Sendable (ServerLoop) -> Void) {
        let thread = Thread { body(self) }
        thread.name = "baton lsp " + name
        thread.stackSize = Self.stackSize
        thread.start()
    }

    // MARK: - Threads

    private func readMessages() {
        var reader = MessageReader()
        while let bytes = read() {
            for event in reader.take(bytes) {
                switch event {
                case .mistake(let text):
                    put(.message(.failure(.init(id: .null, error: .parse(text)))), 0)
                case .message(let bytes):
                    let message = Message.read(bytes)
                    if case .success(.notification("$/cancelRequest", let parameters)) = message,
                        let id = parameters["id"]
                    {
                        cancelled.withLock { ids in
                            // A client that cancels only requests with a response must not fill the memory.
                            if ids.count > 10_000 { ids = [] }
                            _ = ids.insert(id)
                        }
                        put(.cancellation, 0)
                    } else {
                        put(.message(message), bytes.count)
                    }
                }
            }
        }
        inbox.put(.end)
    }

    private func put(_ item: Item, _ size: Int) {
        inbox.put(item, weighing: size + Self.messageWeight, below: Self.unhandledLimit)
    }

    private func carryOut(_ jobs: Mailbox<JudgeJob?>) {
        while case .some(.some(let job)) = jobs.take() { inbox.put(.outcome(job.run())) }
    }

    private func answerMessages() -> Int32 {
        var server = LanguageServer(version: version) { [self] id in
            cancelled.withLock { $0.remove(id) != nil }
        }
        var state = Judging()
        while true {
            let item = inbox.take(before: state.deadline(server) ?? .distantFuture)
            switch item {
            case .message(let message):
                state.lastMessage = .now()
                server.handle(message)
            case .outcome(let outcome):
                if outcome.judge == nil { state.isJudgingRest = false } else { state.isJudging = false }
                server.finish(outcome)
            case .cancellation: server.answerWaiting()
            case .end: return server.exitStatus ?? 1
            case nil: break
            }
            if state.isDue(server), let job = server.nextJob() {
                state.isJudging = true
                state.due = nil
                jobs.put(job)
            }
            if state.isRestDue(server), let job = server.nextRest() {
                state.isJudgingRest = true
                rests.put(job)
            }
            for message in server.takeOutput() where !write(MessageReader.framed(message)) {
                return server.exitStatus ?? 1
            }
            if let status = server.exitStatus { return status }
        }
    }

    /// What the worker knows about the threads `judge` and `rest`, and when it gives them a job.
    private struct Judging {
        var isJudging = false
        var isJudgingRest = false
        /// The time since which a judgement is due.
        var due: DispatchTime?
        var lastMessage = DispatchTime(uptimeNanoseconds: 0)

        /// The time at which the worker has something to do if no message comes; nil for never.
        mutating func deadline(_ server: LanguageServer) -> DispatchTime? {
            if server.hasJob, !isJudging {
                let since = due ?? .now()
                due = since
                if server.hasWaiting { return since }
                return min(max(lastMessage, since) + ServerLoop.settling, since + ServerLoop.patience)
            }
            due = nil
            return server.hasRest && !isJudging && !isJudgingRest ? lastMessage + ServerLoop.restSettling : nil
        }

        mutating func isDue(_ server: LanguageServer) -> Bool {
            guard let deadline = deadline(server), due != nil else { return false }
            return .now() >= deadline
        }

        mutating func isRestDue(_ server: LanguageServer) -> Bool {
            guard let deadline = deadline(server), due == nil else { return false }
            return .now() >= deadline
        }
    }
}
