#if DEBUG
    /// The operations that have been compared with their sources.
    final class ComparedArtifacts: Sendable {
        private let artifacts = Guarded<Set<ObjectIdentifier>>([])

        /// Adds an operation; returns true if it was not in the set.
        func insert(_ artifact: GeneratedCode.OperationArtifact) -> Bool {
            artifacts.withLock { $0.insert(ObjectIdentifier(artifact)).inserted }
        }
    }
#endif
