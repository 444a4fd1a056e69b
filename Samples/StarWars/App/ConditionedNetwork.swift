import Baton
import Synchronization

/// A network in front of another one. Each request waits for a time on a clock, and fails while the user wants it to.
///
/// With a manual clock, a request waits until the clock is advanced, even if the other network is a real one.
final class ConditionedNetwork: NetworkLayer {
    private let base: any NetworkLayer
    private let delay: Duration
    private let clock: any Clock<Duration>
    private let currentFailure = Mutex<RelayError?>(nil)

    /// - Parameters:
    ///   - base: answers the requests.
    ///   - delay: the time before a request is passed on.
    ///   - clock: measures the delay.
    init(_ base: any NetworkLayer, delay: Duration, clock: any Clock<Duration>) {
        self.base = base
        self.delay = delay
        self.clock = clock
    }

    /// The error of every request after its delay; nil passes requests on.
    var failure: RelayError? {
        get { currentFailure.withLock { $0 } }
        set { currentFailure.withLock { $0 = newValue } }
    }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try await clock.sleep(for: delay)
        if let failure { throw failure }
        return try await base.send(request)
    }
}
