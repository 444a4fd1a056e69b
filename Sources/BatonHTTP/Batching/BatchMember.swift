import Baton

extension BatchingNetwork {
    /// A request that waits to be sent with others.
    ///
    /// State: guarded by a lock of its own, a leaf.
    final class Member: Sendable {
        private enum Presence {
            case waiting
            case sent(Countdown)
            case left
        }

        let request: NetworkRequest
        /// The response to the request; nil if the request was alone in its window.
        let flight = Flight<NetworkResponse?>()
        private let presence = Guarded(Presence.waiting)

        init(_ request: NetworkRequest) { self.request = request }

        /// Notes that the request was sent in a batch.
        func join(_ present: Countdown) {
            let hasLeft = presence.withLock { presence in
                if case .left = presence { return true }
                presence = .sent(present)
                return false
            }
            if hasLeft { present.count() }
        }

        /// Notes that nobody waits for the response any more.
        func leave() {
            let present = presence.withLock { presence -> Countdown? in
                defer { presence = .left }
                if case .sent(let present) = presence { return present }
                return nil
            }
            present?.count()
        }
    }
}

/// Calls a closure after a given number of counts.
///
/// State: guarded by a lock of its own, a leaf.
final class Countdown: Sendable {
    private let left: Guarded<Int>
    private let end: @Sendable () -> Void

    init(from count: Int, _ end: @escaping @Sendable () -> Void) {
        left = Guarded(count)
        self.end = end
    }

    func count() {
        let isOver = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isOver { end() }
    }
}
