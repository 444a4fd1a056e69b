import Baton
import Synchronization

/// A network in front of another one. Each request waits for a time on a clock, and fails while the cable is out.
///
/// With a manual clock, a request waits until the clock is advanced, even if the other network is a real one.
final class ConditionedNetwork: NetworkLayer {
    /// The error of requests while the cable is out.
    struct CableIsOut: TransportError, CustomStringConvertible {
        var advice: String { "" }
        var description: String { "the cable is out" }
    }

    /// The time after which a cable that was pulled is in again.
    static let outage = Duration.seconds(8)

    /// True if the other network has subscriptions.
    let sendsEvents: Bool
    private let base: any NetworkLayer
    private let delay: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Duration
    private let end = Mutex(Duration.zero)

    /// - Parameters:
    ///   - base: answers the requests.
    ///   - sendsEvents: whether it has subscriptions.
    ///   - delay: the time before a request is passed on; a request that begins later takes up to a millisecond more.
    ///   - clock: measures the delay.
    init(_ base: any NetworkLayer, sendsEvents: Bool, delay: Duration, clock: some Clock<Duration>) {
        self.base = base
        self.sendsEvents = sendsEvents
        self.delay = delay
        self.clock = clock
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// Pulls the cable for some seconds, or puts it in again. Returns true if it is out then.
    func switchCable() -> Bool {
        end.withLock {
            $0 = $0 > now() ? .zero : now() + Self.outage
            return $0 > .zero
        }
    }

    /// The time for which the cable is still out; nil if it is in.
    var outageLeft: Duration? {
        let rest = end.withLock { $0 } - now()
        return rest > .zero ? rest : nil
    }

    private func check() throws {
        if outageLeft != nil { throw RelayError.transport(CableIsOut()) }
    }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        // Requests of one frame are answered in their order, so that every run is the same.
        try await clock.sleep(for: delay + .microseconds(request.id % 1000))
        try check()
        return try await base.send(request)
    }

    /// The events of a subscription arrive at once. Other requests wait for their time.
    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        if request.kind == .subscription { return base.responses(to: request) }
        return Delayed(network: self).responses(to: request)
    }
}

/// The part of the network that answers a request with one response.
private struct Delayed: NetworkLayer {
    let network: ConditionedNetwork

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await network.send(request) }
}
