import Baton
import BatonCurl
import Foundation

/// The one thread of a transport, on which all its transfers run.
///
/// It begins with the first request. It ends, and closes the connections, when there was none for as long as
/// connections are kept, or when the transport has gone and the last transfer is over.
///
/// State: guarded by a lock of its own, a leaf. The thread is woken inside of it, so that it cannot end meanwhile.
final class CurlLoop: Sendable {
    /// What other threads ask for.
    enum Command {
        case start(CurlExchange)
        /// There are bytes to send, or there is room for received ones.
        case goOn(CurlExchange)
        case stop(CurlExchange)
    }

    private struct State {
        var commands: [Command] = []
        var isRunning = false
        var isClosing = false
        /// Nil before the thread waits for the first time.
        var waker: CurlLibrary.Waker?
    }

    private let options: CurlTransport.Options
    private let state = Guarded(State())

    init(_ options: CurlTransport.Options) { self.options = options }

    /// Has the thread carry a command out.
    func run(_ command: Command) {
        let beginsThread = state.withLock { state in
            state.commands.append(command)
            if state.commands.count == 1 { state.waker?.wake() }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if beginsThread { beginThread() }
    }

    /// Ends the thread when the last transfer is over.
    func close() {
        state.withLock { state in
            state.isClosing = true
            state.waker?.wake()
        }
    }

    private func beginThread() {
        CurlThread.start(named: "baton.curl") { [self] in work() }
    }

    // MARK: - On the thread

    private func work() {
        guard let multi = CurlLibrary.Multi() else { return refuseAll() }
        multi.set(BATON_CURLMOPT_MAX_HOST_CONNECTIONS, options.connections)
        multi.set(BATON_CURLMOPT_MAXCONNECTS, options.connections)
        state.withLock { $0.waker = multi.waker }
        var transfers = CurlTransfers(multi, options)
        let clock = ContinuousClock()
        var lastWork = clock.now
        while true {
            for command in takeCommands() { transfers.carryOut(command) }
            transfers.advance()
            if !transfers.isEmpty { lastWork = clock.now }
            let rest = BoundedTime.of(options.idleTime) - (clock.now - lastWork)
            if transfers.isEmpty, mayEnd(isLate: rest <= .zero) { return transfers.close() }
            multi.wait(transfers.isEmpty ? Int32(clamping: rest.milliseconds + 1) : 60_000)
        }
    }

    private func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// True if nobody will wake the thread any more.
    private func mayEnd(isLate: Bool) -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty, isLate || state.isClosing else { return false }
            (state.isRunning, state.waker) = (false, nil)
            return true
        }
    }

    private func refuseAll() {
        let commands = state.withLock { state in
            defer { (state.commands, state.isRunning) = ([], false) }
            return state.commands
        }
        for case .start(let exchange) in commands {
            exchange.end(with: HTTPError.failed(reason: "there is no memory for connections"))
        }
    }
}
