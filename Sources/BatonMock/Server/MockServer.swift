import Baton
import Foundation

/// Accepts connections at an address, and serves each on a thread of its own.
///
/// State: the open connections and the end, guarded by a lock of their own, a leaf.
final class MockServer: Sendable {
    /// Why a server cannot start, and what to do.
    struct StartError: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// What the server gives a client of its time and memory.
    struct Limits: Sendable {
        /// The connections that are open at the same time.
        var connections = 1_200
        /// The time for which an idle connection is kept.
        var idleMilliseconds = 60_000
        /// The time from the first byte of a request to its last.
        var requestMilliseconds = 30_000
        /// The time in which a WebSocket has to say `connection_init`.
        var greetingMilliseconds = 10_000
        /// The time after which a WebSocket ends whose client answers no ping.
        var silenceMilliseconds = 60_000
        var request = RequestParser.Limits()
    }

    private struct State {
        var connections: Set<Int32> = []
        var isOver = false
    }

    /// The port at which the server listens.
    let port: UInt16
    private let state = Guarded(State())
    private let listener: Int32
    private let limits: Limits
    private let responder: Responder

    /// Listens and begins to accept.
    ///
    /// - Parameter port: 0 for a port that the system chooses.
    init(
        host: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(), responder: Responder
    ) throws(StartError) {
        (listener, self.port) = try Sockets.listen(host: host, port: port)
        self.limits = limits
        self.responder = responder
        start { $0.acceptAll() }
    }

    /// Ends all connections, and accepts no further ones.
    func stop() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            Sockets.stop(listener)
            for connection in state.connections { Sockets.stop(connection) }
        }
    }

    var openConnections: Int { state.withLock(\.connections.count) }

    private func acceptAll() {
        while let connection = Sockets.accept(listener, isOver: { state.withLock(\.isOver) }) {
            let isWelcome = state.withLock { state in
                guard !state.isOver, state.connections.count < limits.connections else { return false }
                state.connections.insert(connection)
                return true
            }
            if isWelcome {
                start { $0.serve(connection) }
            } else {
                refuse(connection)
            }
        }
        // The accepting thread closes the socket, so that nobody uses its number for another one.
        state.withLock { $0.isOver = true }
        Sockets.close(listener)
    }

    private func refuse(_ connection: Int32) {
        let problem = HTTPProblem(
            503, "The server has \(limits.connections) connections. Close some, or start with more '--connections'.")
        _ = Sockets.send(problem.response.bytes(keepsConnection: false), to: connection)
        Sockets.endWriting(connection)
        Sockets.close(connection)
    }

    private func serve(_ descriptor: Int32) {
        var session = ClientSession(Connection(descriptor), responder, limits)
        session.run()
        state.withLock { state in
            state.connections.remove(descriptor)
            Sockets.close(descriptor)
        }
    }

    /// Runs a closure on a thread of its own. Its stack is large enough for the deepest answer.
    private func start(_ body: @escaping @Sendable (MockServer) -> Void) {
        let thread = Thread { [self] in body(self) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}
