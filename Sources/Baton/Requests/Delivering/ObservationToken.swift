/// Ends an observation. The observation lasts until ``cancel()``, or until the actor or the handle is deinitialized.
///
/// Each call of `observe` returns one token, which need not be kept.
public final class ObservationToken: Sendable {
    private let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    /// Ends the observation. After a call on the observing actor, nothing is delivered any more. During a call from
    /// elsewhere, a delivery that has begun still ends.
    public func cancel() {
        stop()
    }
}
