import Baton
import Foundation

/// The parts from which a network makes a connection.
struct SocketDialing: Sendable {
    let url: URL
    let transport: any WebSocketTransport
    let subprotocols: [String]
    let maximumMessageSize: Int
    let headers: WebSocketNetwork.Fresh<HTTPHeaders>
    let payload: WebSocketNetwork.Fresh<JSONValue?>
    /// The credentials of the newest connections.
    let sent = SentCredentials()
    /// Whether a connection was ever open, which proves the scheme of the URL.
    private let opened = Opened()

    /// Makes the payload, the headers and the connection. The payload is made first, because a server expects it soon
    /// after the connection is open.
    func connect() async throws -> (any WebSocketConnection, payload: [UInt8]?) {
        let payload = try await payload()
        let headers = try await headers()
        sent.add(payload, headers)
        do {
            let connection = try await transport.connect(
                to: url, headers: headers, subprotocols: subprotocols, maximumMessageSize: maximumMessageSize)
            opened.note()
            return (connection, payload?.jsonBytes)
        } catch {
            throw SchemeGuess(url, hasResponded: opened.isTrue).explained(error)
        }
    }

    private final class Opened: Sendable {
        private let state = Guarded(false)
        var isTrue: Bool { state.withLock(\.self) }
        func note() { state.withLock { $0 = true } }
    }
}

/// One connection and its task, which opens the connection, sends, reads, and reports events to the core.
///
/// The connection is closed when the task ends for any reason.
final class SocketLink: Sendable {
    private enum Letter {
        case text([UInt8])
        case close(code: Int, reason: String)
    }

    private enum Ending {
        case broken
        case over
    }

    /// The longest time for sending the last messages and the close frame.
    private static let farewell = Duration.seconds(5)
    /// The time in which the reading side may find the reason why sending failed. A close code tells more than the
    /// error of the sending.
    private static let explanation = Duration.seconds(1)

    private let number: Int
    private let core: SocketCore
    private let dialing: SocketDialing
    private let clock: any Clock<Duration>
    private let letters: (stream: AsyncStream<Letter>, continuation: AsyncStream<Letter>.Continuation)
    private let reads: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    /// The connection's task and its timers; nil when the task has ended.
    private let tasks = Guarded<[Task<Void, Never>]?>([])

    init(_ number: Int, _ core: SocketCore, _ dialing: SocketDialing, _ clock: any Clock<Duration>) {
        self.number = number
        self.core = core
        self.dialing = dialing
        self.clock = clock
        letters = AsyncStream.makeStream()
        reads = AsyncStream.makeStream()
    }

    func start() {
        let task = RequestScope.$owner.withValue(nil) {
            Task {
                await self.run()
                let timers = self.tasks.withLock { tasks in
                    defer { tasks = nil }
                    return tasks ?? []
                }
                for timer in timers { timer.cancel() }
            }
        }
        tasks.withLock { $0?.append(task) }
    }

    func send(_ text: [UInt8]) { letters.continuation.yield(.text(text)) }

    func read() { reads.continuation.yield() }

    func close(_ code: Int, _ reason: String) {
        letters.continuation.yield(.close(code: code, reason: reason))
        letters.continuation.finish()
        reads.continuation.finish()
        after(Self.farewell) { $0.drop() }
    }

    func drop() {
        for task in tasks.withLock(\.self) ?? [] { task.cancel() }
    }

    private func after(_ time: Duration, _ act: @escaping @Sendable (SocketLink) -> Void) {
        let timer = Deadline.timer(time, on: clock) { [weak self] in
            if let self { act(self) }
            return false
        }
        let isOver = tasks.withLock { tasks in
            tasks?.append(timer)
            return tasks == nil
        }
        if isOver { timer.cancel() }
    }

    private func run() async {
        let connection: any WebSocketConnection
        do {
            let made = try await dialing.connect()
            connection = made.0
            core.handle(.opened(connection: number, subprotocol: connection.subprotocol, payload: made.payload))
        } catch {
            return core.handle(.broke(connection: number, error))
        }
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { await self.sendAll(on: connection) }
            group.addTask { await self.readAll(from: connection) }
            for await ending in group where ending == .over { break }
            group.cancelAll()
        }
        // After an earlier close, this call does nothing.
        await connection.close(code: 1000, reason: "")
    }

    private func sendAll(on connection: any WebSocketConnection) async -> Ending {
        for await letter in letters.stream {
            switch letter {
            case .text(let text):
                do {
                    try await connection.send(text)
                } catch {
                    after(Self.explanation) { $0.core.handle(.broke(connection: $0.number, error)) }
                    return .broken
                }
                core.handle(.sent(connection: number))
            case .close(let code, let reason):
                await connection.close(code: code, reason: reason)
                return .over
            }
        }
        return .over
    }

    private func readAll(from connection: any WebSocketConnection) async -> Ending {
        for await _ in reads.stream {
            do {
                switch try await connection.receive() {
                case .text(let text): core.handle(.message(connection: number, text))
                case .closed(let code, let reason):
                    core.handle(.closed(connection: number, code: code, reason: reason))
                    return .over
                }
            } catch {
                core.handle(.broke(connection: number, error))
                return .over
            }
        }
        // The reading side ends the connection.
        return .broken
    }
}
