/// Ends an observation, which lasts until ``cancel()``, or until the actor or the handle dies; not until the token
/// does.
///
/// One call of `observe` gives one token, which need not be kept.
public final class ObservationToken: Sendable {
    private let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    /// Ends the observation. Called on the observing actor, nothing is delivered once it has returned; called
    /// elsewhere, a delivery that has begun ends.
    public func cancel() {
        stop()
    }
}
