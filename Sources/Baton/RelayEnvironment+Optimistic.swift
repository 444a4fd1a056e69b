extension RelayEnvironment {
    /// Changes records until the returned object is reverted or deinitialized, and notifies every handle that reads
    /// changed fields.
    ///
    /// The change is a layer on top of the store. Responses and updates land below it, and their data shows when the
    /// change is reverted. The body runs at once, and again whenever data that it has read or written changes below it;
    /// see ``OptimisticUpdate/update(_:)``.
    public func applyUpdate(_ body: @escaping @Sendable (RecordSourceProxy) throws -> Void) -> OptimisticLayer {
        OptimisticLayer(apply(body, of: nil), in: self)
    }

    /// Reverts changes in one publish and notifies every handle that reads a field which changes by that. Changes that
    /// were reverted before are skipped.
    ///
    /// Use this method for changes that depend on each other. If they are reverted one after another from the oldest
    /// on, each step makes the later ones run again.
    public func revert(_ updates: some Sequence<OptimisticLayer>) {
        var layers: [LayerID] = []
        for update in updates {
            if update.environment === self { layers.append(update.layer) } else { update.revert() }
        }
        drop(layers, of: nil)
    }
}
