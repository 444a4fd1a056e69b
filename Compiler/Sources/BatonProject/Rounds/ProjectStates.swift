import BatonCompiler
import BatonSyntax

/// The states of all files that a round reads, compared with a table.
struct ProjectStates: Sendable {
    /// The schema and its extensions. A file that is gone is left out.
    private(set) var schemaInputs: [ProjectTable.Input] = []
    /// The documents in the order of their paths.
    private(set) var documents: [ProjectTable.Input] = []
    /// The paths of the documents that changed, and of those that are gone.
    private(set) var changed: [AbsolutePath] = []
    private(set) var removed: [AbsolutePath] = []
    private(set) var isSchemaUnchanged = false
    /// Whether the table is to have other states though the bytes are the same.
    private(set) var isRestamped = false
    /// The texts that were read to take the states. The run compiles these texts: a file may change meanwhile, and a
    /// table must not have the state of one text with facts that were derived from another text.
    private(set) var texts: [AbsolutePath: [UInt8]]
    let schemaCount: Int
    /// The paths of the schema, also of files that are gone.
    private let schemaPaths: [AbsolutePath]
    /// The documents whose state could not be taken, because they cannot be read.
    private var unread: [AbsolutePath] = []

    /// Whether a state could not be taken, because a file cannot be read.
    var isIncomplete: Bool { !unread.isEmpty || schemaInputs.count < schemaPaths.count }
    /// Whether the artifacts are those of a table for the same schema.
    var areArtifactsComparable: Bool { isSchemaUnchanged && !isIncomplete }
    /// Whether all that is read is as the table says.
    var isUnchanged: Bool { isSchemaUnchanged && !isIncomplete && changed.isEmpty && removed.isEmpty }

    /// Takes the states of all files.
    init(_ files: ProjectFiles, comparedWith table: ProjectTable?, overlays: [AbsolutePath: [UInt8]]) {
        let time = table?.time ?? 0
        texts = overlays
        schemaCount = files.schema.count
        schemaPaths = files.schema + files.schemaExtensions
        var known: [AbsolutePath: ProjectTable.Input] = [:]
        for input in (table?.schema ?? []) + (table?.schemaExtensions ?? []) { known[input.path] = input }
        for path in schemaPaths {
            guard let state = Self.state(of: path, known[path], time, overlays[path]) else { continue }
            schemaInputs.append(state.input)
            if let text = state.text { texts[path] = text }
        }
        let before = Self.aligned(files.documents, table?.documents.map(\.input) ?? [])
        let pairs = Array(zip(files.documents, before))
        let states = Workers.all.map(pairs) { pairs in
            pairs.map { path, known in Self.state(of: path, known, time, overlays.isEmpty ? nil : overlays[path]) }
        }
        documents.reserveCapacity(pairs.count)
        for (path, state) in zip(files.documents, states.joined()) {
            guard let state else {
                unread.append(path)
                continue
            }
            documents.append(state.input)
            if let text = state.text { texts[path] = text }
        }
        compare(with: table)
    }

    /// The states after a change of these documents alone. All of them must be known.
    func updated(_ paths: Set<AbsolutePath>, comparedWith table: ProjectTable?) -> ProjectStates {
        var result = self
        result.texts = [:]
        for index in documents.indices.reversed() where paths.contains(documents[index].path) {
            let path = documents[index].path
            if let state = Self.state(of: path, nil, 0, nil) {
                result.documents[index] = state.input
                result.texts[path] = state.text
            } else {
                result.documents.remove(at: index)
                result.unread.append(path)
            }
        }
        result.compare(with: table)
        return result
    }

    /// Reads all texts that were not read yet. If a text is not the one of its state, the text replaces the state.
    mutating func readTexts(ofSchema readsSchema: Bool) {
        let missing = ((readsSchema ? schemaInputs : []) + documents).filter { texts[$0.path] == nil }
        for (input, text) in Self.read(missing) { texts[input.path] = text }
        func renew(_ inputs: inout [ProjectTable.Input]) {
            for index in inputs.indices {
                if let text = texts[inputs[index].path] { inputs[index].hash = ContentHash.of(text) }
            }
        }
        renew(&schemaInputs)
        renew(&documents)
    }

    /// The texts of some files; nil if a text is not the one of its state.
    func texts(of paths: Set<AbsolutePath>) -> [AbsolutePath: [UInt8]]? {
        var result = texts
        let missing = (schemaInputs + documents).filter { paths.contains($0.path) && texts[$0.path] == nil }
        for (input, text) in Self.read(missing) {
            guard let text, ContentHash.of(text) == input.hash else { return nil }
            result[input.path] = text
        }
        return result
    }

    private static func read(_ inputs: [ProjectTable.Input]) -> [(input: ProjectTable.Input, text: [UInt8]?)] {
        Workers.all.map(inputs) { inputs in inputs.map { ($0, try? InputFile.readText($0.path)) } }.flatMap(\.self)
    }

    /// The states without texts.
    var withoutTexts: ProjectStates {
        var result = self
        result.texts = [:]
        return result
    }

    /// For each path, the input with this path, or nil. Both lists are sorted by path.
    private static func aligned(_ paths: [AbsolutePath], _ inputs: [ProjectTable.Input]) -> [ProjectTable.Input?] {
        var next = 0
        return paths.map { path in
            while next < inputs.count, inputs[next].path < path { next += 1 }
            guard next < inputs.count, inputs[next].path == path else { return nil }
            next += 1
            return inputs[next - 1]
        }
    }

    private mutating func compare(with table: ProjectTable?) {
        (changed, removed, isSchemaUnchanged, isRestamped) = (unread, [], false, false)
        guard let table else {
            changed += documents.map(\.path)
            return
        }
        let before = table.schema + table.schemaExtensions
        isSchemaUnchanged =
            table.schema.map(\.path) == Array(schemaPaths.prefix(schemaCount))
            && before.map(\.path) == schemaInputs.map(\.path) && before.map(\.hash) == schemaInputs.map(\.hash)
        isRestamped = before != schemaInputs || before.contains { $0.stamp.isRecent(at: table.time) }
        // Both lists have the order of paths.
        var (old, new) = (table.documents[...], documents[...])
        while let last = old.first?.input, let present = new.first {
            if last.path == present.path {
                if last.hash != present.hash { changed.append(present.path) }
                if last.stamp != present.stamp || last.stamp.isRecent(at: table.time) { isRestamped = true }
                (old, new) = (old.dropFirst(), new.dropFirst())
            } else if last.path < present.path {
                removed.append(last.path)
                old = old.dropFirst()
            } else {
                changed.append(present.path)
                new = new.dropFirst()
            }
        }
        changed += new.map(\.path)
        removed += old.map(\.input.path)
        if !unread.isEmpty {
            removed.removeAll(where: unread.contains)
            changed.sort()
        }
    }

    /// The state of a file, and its text if it was read. The known state is returned if the stamp does not say that the
    /// bytes have changed. The stamp is taken before the bytes, so that a change between the two shows in the next
    /// round.
    private static func state(
        of path: AbsolutePath, _ known: ProjectTable.Input?, _ time: Int64, _ overlay: [UInt8]?
    ) -> (input: ProjectTable.Input, text: [UInt8]?)? {
        guard let stamp = overlay == nil ? FileStamp(of: path) : .unsaved else { return nil }
        if let known, overlay == nil, known.stamp == stamp, !stamp.isRecent(at: time) { return (known, nil) }
        guard let bytes = overlay ?? (try? InputFile.readText(path)) else { return nil }
        return (ProjectTable.Input(path: path, stamp: stamp, hash: ContentHash.of(bytes)), bytes)
    }
}

extension FileStamp {
    /// The stamp of an unsaved text. No file has this stamp.
    fileprivate static let unsaved = FileStamp(size: -1, modified: 0, changed: 0, number: 0, device: 0)
}
