import BatonCompiler
import BatonSyntax

/// The artifacts on disk, all of which are as a table says.
struct ArtifactStates: Sendable {
    private(set) var artifacts: [ProjectTable.Artifact]
    /// Whether the state of an artifact is not that of the table, though its bytes are the same.
    private(set) var isRestamped = false

    /// Takes the states of all artifacts; nil if somebody has changed or removed an artifact.
    init?(_ table: ProjectTable, in configuration: Configuration) {
        let (folder, time) = (configuration.outputDirectory, table.artifactTime)
        let parts = Workers.all.map(table.artifacts) { artifacts -> [(ProjectTable.Artifact, isNew: Bool)]? in
            var result: [(ProjectTable.Artifact, isNew: Bool)] = []
            result.reserveCapacity(artifacts.count)
            for artifact in artifacts {
                guard let state = Self.state(of: artifact, in: folder, at: time) else { return nil }
                result.append(state)
            }
            return result
        }
        artifacts = []
        artifacts.reserveCapacity(table.artifacts.count)
        for part in parts {
            guard let part else { return nil }
            for (artifact, isNew) in part {
                artifacts.append(artifact)
                if isNew { isRestamped = true }
            }
        }
        guard configuration.persistedFile == table.persisted?.path else { return nil }
        if let persisted = table.persisted, !Self.isSame(persisted) { return nil }
    }

    /// The states of artifacts that are known to be as the table says.
    init(unchanged table: ProjectTable) {
        artifacts = table.artifacts
    }

    /// Whether an artifact is as the table says, with the same state.
    static func isUntouched(
        _ artifact: ProjectTable.Artifact, in folder: AbsolutePath, at time: Int64
    ) -> Bool {
        guard let state = state(of: artifact, in: folder, at: time) else { return false }
        return state.0.stamp == artifact.stamp
    }

    /// Whether the file of the texts that have ids has the bytes that it had.
    static func isSame(_ persisted: ProjectTable.Input) -> Bool {
        (try? InputFile.readText(persisted.path)).map { ContentHash.of($0) } == persisted.hash
    }

    private static func state(
        of artifact: ProjectTable.Artifact, in folder: AbsolutePath, at time: Int64
    ) -> (ProjectTable.Artifact, isNew: Bool)? {
        let path = folder.appending(artifact.name)
        guard let stamp = FileStamp(of: path) else { return nil }
        if stamp == artifact.stamp, !stamp.isRecent(at: time) { return (artifact, false) }
        guard let bytes = try? InputFile.read(path), ContentHash.of(bytes) == artifact.hash else { return nil }
        return (ProjectTable.Artifact(name: artifact.name, stamp: stamp, hash: artifact.hash), true)
    }
}
