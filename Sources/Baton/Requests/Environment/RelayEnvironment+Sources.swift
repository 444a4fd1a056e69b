extension RelayEnvironment {
    /// Reports to the log if the source of an operation was edited after its compilation. A release build does nothing.
    ///
    /// Files are read in the background, once for each operation, and only if somebody hears of mistakes.
    func compareWithSource(_ artifact: GeneratedCode.OperationArtifact) {
        #if DEBUG
            guard hearsMistakes, compared.insert(artifact) else { return }
            Task.detached(priority: .background) { [weak self] in
                let changed = SourceComparison.changedDefinitions(ofGeneratedFile: artifact.file)
                guard !changed.isEmpty else { return }
                self?.emit(.staleGeneratedCode(.init(operationName: artifact.name, definitions: changed)))
            }
        #endif
    }
}
