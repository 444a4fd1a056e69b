/// Stands for one call of `observe`.
///
/// It need not be kept: an observation lasts until it is cancelled, or until the observing actor or the handle dies.
public final class ObservationToken: Sendable {
    private let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    /// Ends the observation. Called on the observing actor, nothing is delivered once it has returned; called elsewhere, a delivery that has begun ends.
    public func cancel() {
        stop()
    }
}
