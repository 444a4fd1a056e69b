import BatonCompiler

/// The artifacts on disk, all of which are as a table says.
struct ArtifactStates: Sendable {
    private(set) var artifacts: [ProjectTable.Artifact]
    /// Whether a state differs from the table's though the bytes are the same.
    private(set) var isRestamped = false

    /// Nil if somebody has changed or removed a file.
    init?(_ table: ProjectTable, in configuration: Configuration) {
        artifacts = table.artifacts
        let folder = configuration.outputDirectory
        for index in artifacts.indices {
            let path = folder.appending(artifacts[index].name)
            guard let stamp = FileStamp(of: path) else { return nil }
            if stamp == artifacts[index].stamp, !stamp.isRecent(at: table.artifactTime) { continue }
            guard let bytes = try? InputFile.read(path), ContentHash.of(bytes) == artifacts[index].hash else {
                return nil
            }
            artifacts[index].stamp = stamp
            isRestamped = true
        }
        guard configuration.persistedFile == table.persisted?.path else { return nil }
        guard let persisted = table.persisted else { return }
        guard let bytes = try? InputFile.readText(persisted.path), ContentHash.of(bytes) == persisted.hash else {
            return nil
        }
    }
}
