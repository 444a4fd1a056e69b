/// Ends an observation. The observation lasts until ``cancel()``, or until the actor or the handle is deinitialized.
///
/// Each call of `observe` returns one token, which need not be kept.
public final class ObservationToken: Sendable {
    private let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    /// Ends the observation. If it is called on the observing actor, nothing is delivered after it returns. If it is
    /// called elsewhere, a delivery that has begun still ends.
    public func cancel() {
        stop()
    }
}
