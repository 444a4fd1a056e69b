import BatonCompiler

/// The states of all files that a round reads, compared with a table.
struct ProjectStates: Sendable {
    /// The schema and its extensions. A file that is gone is left out.
    private(set) var schemaInputs: [ProjectTable.Input] = []
    private(set) var documents: [ProjectTable.Input] = []
    /// The numbers of the changed documents in the list of found documents, and the paths of those that are gone.
    private(set) var changed: [AbsolutePath] = []
    private(set) var removed: [AbsolutePath] = []
    private(set) var isSchemaUnchanged = false
    /// Whether a state could not be taken, because a file cannot be read.
    private(set) var isIncomplete = false
    /// Whether a state differs from the table's though the bytes are the same.
    private(set) var isRestamped = false
    private(set) var schemaCount = 0

    /// Whether the artifacts are those of a table for the same schema.
    var areArtifactsComparable: Bool { isSchemaUnchanged && !isIncomplete }
    /// Whether all that is read is as the table says.
    var isUnchanged: Bool { isSchemaUnchanged && !isIncomplete && changed.isEmpty && removed.isEmpty }

    init(_ files: ProjectFiles, comparedWith table: ProjectTable?, overlays: [AbsolutePath: [UInt8]]) {
        let time = table?.time ?? 0
        var known: [AbsolutePath: ProjectTable.Input] = [:]
        for input in (table?.schema ?? []) + (table?.schemaExtensions ?? []) { known[input.path] = input }
        for path in files.schema + files.schemaExtensions {
            if let (input, _) = state(of: path, known[path], time, overlays[path]) { schemaInputs.append(input) }
        }
        schemaCount = files.schema.count
        if let table {
            let before = table.schema + table.schemaExtensions
            isSchemaUnchanged =
                table.schema.map(\.path) == files.schema
                && before.map(\.path) == schemaInputs.map(\.path) && before.map(\.hash) == schemaInputs.map(\.hash)
        }
        known = [:]
        for file in table?.documents ?? [] { known[file.input.path] = file.input }
        for path in files.documents {
            guard let (input, isSame) = state(of: path, known.removeValue(forKey: path), time, overlays[path]) else {
                changed.append(path)
                continue
            }
            documents.append(input)
            if !isSame { changed.append(path) }
        }
        removed = known.keys.sorted()
    }

    /// The state of a file, and whether its bytes are the known ones. The stamp is taken before the bytes, so that a
    /// change between the two shows in the next round.
    private mutating func state(
        of path: AbsolutePath, _ known: ProjectTable.Input?, _ time: Int64, _ overlay: [UInt8]?
    ) -> (input: ProjectTable.Input, isSame: Bool)? {
        let stamp = overlay == nil ? FileStamp(of: path) : .unsaved
        guard let stamp else {
            isIncomplete = true
            return nil
        }
        if let known, overlay == nil, known.stamp == stamp, !stamp.isRecent(at: time) { return (known, true) }
        guard let bytes = overlay ?? (try? InputFile.readText(path)) else {
            isIncomplete = true
            return nil
        }
        isRestamped = true
        let input = ProjectTable.Input(path: path, stamp: stamp, hash: ContentHash.of(bytes))
        return (input, input.hash == known?.hash)
    }
}

extension FileStamp {
    /// The stamp of a text that is in no file, which no file has.
    fileprivate static let unsaved = FileStamp(size: -1, modified: 0, changed: 0, number: 0, device: 0)
}
