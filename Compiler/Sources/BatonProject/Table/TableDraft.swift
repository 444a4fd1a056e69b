import BatonCompiler

/// A table whose artifacts are not written yet.
struct TableDraft: Sendable {
    var table: ProjectTable
    /// The hashes of the artifacts that the round writes or has found written.
    var made: [String: UInt64] = [:]
    /// The artifacts that stay as they are.
    var standing: [ProjectTable.Artifact] = []

    /// The table with the states of all artifacts; nil if an artifact has disappeared meanwhile.
    ///
    /// Somebody may change an artifact after the round has looked at it or written it, and before its state is taken.
    /// So every artifact that was written since the round began is compared by its bytes in a later round.
    func stamped(in folder: AbsolutePath, persisted: AbsolutePath?) -> ProjectTable? {
        var table = table
        var artifacts = standing
        for (name, hash) in made {
            guard let stamp = FileStamp(of: folder.appending(name)) else { return nil }
            artifacts.append(.init(name: name, stamp: stamp, hash: hash))
        }
        table.artifacts = artifacts.sorted { $0.name < $1.name }
        if !made.isEmpty { table.artifactTime = table.time }
        if let persisted {
            guard let stamp = FileStamp(of: persisted), let bytes = try? InputFile.readText(persisted) else {
                return nil
            }
            table.persisted = .init(path: persisted, stamp: stamp, hash: ContentHash.of(bytes))
        }
        return table
    }
}
