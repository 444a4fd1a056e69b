/// A change of the store that is shown until it is reverted; see ``RelayEnvironment/applyUpdate(_:)``.
///
/// The change is reverted when this object is deinitialized, so the object must be kept.
public final class OptimisticLayer: Sendable {
    let environment: RelayEnvironment
    let layer: LayerID

    init(_ layer: LayerID, in environment: RelayEnvironment) {
        self.layer = layer
        self.environment = environment
    }

    deinit { revert() }

    /// Reverts the change and notifies every handle that reads a field which changes by that. Does nothing if the
    /// change was reverted before.
    public func revert() { environment.drop(layer, of: nil) }

    /// Replaces the change by another one in one publish; does nothing if the change was reverted.
    public func replace(with body: @escaping @Sendable (RecordSourceProxy) throws -> Void) {
        environment.replace(layer, with: body)
    }
}
