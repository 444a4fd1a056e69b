#if DEBUG
    /// Which operations were compared with their sources already.
    final class ComparedArtifacts: Sendable {
        private let artifacts = Guarded<Set<ObjectIdentifier>>([])

        /// True the first time.
        func insert(_ artifact: GeneratedCode.OperationArtifact) -> Bool {
            artifacts.withLock { $0.insert(ObjectIdentifier(artifact)).inserted }
        }
    }
#endif

extension RelayEnvironment {
    /// Tells the log if the source of an operation was edited after it was compiled; a release build does nothing.
    ///
    /// Files are read in the background, once for each operation, and only if somebody listens.
    func compareWithSource(_ artifact: GeneratedCode.OperationArtifact) {
        #if DEBUG
            guard isLogging, compared.insert(artifact) else { return }
            Task.detached(priority: .background) { [weak self] in
                let changed = SourceComparison.changedDefinitions(ofGeneratedFile: artifact.file)
                guard !changed.isEmpty else { return }
                self?.emit(.staleGeneratedCode(.init(operationName: artifact.name, definitions: changed)))
            }
        #endif
    }
}
