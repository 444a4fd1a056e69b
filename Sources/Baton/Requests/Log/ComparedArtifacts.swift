#if DEBUG
    /// The operations that were already compared with their sources.
    final class ComparedArtifacts: Sendable {
        private let artifacts = Guarded<Set<ObjectIdentifier>>([])

        /// Adds an operation; returns true the first time.
        func insert(_ artifact: GeneratedCode.OperationArtifact) -> Bool {
            artifacts.withLock { $0.insert(ObjectIdentifier(artifact)).inserted }
        }
    }
#endif
