import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSyntax

/// The records of all definitions of a compilation, by the files in which they stand.
struct DefinitionRecords {
    private(set) var byFile: [AbsolutePath: [DefinitionRecord]] = [:]
    /// Whether every definition is an operation or fragment with a name of its own.
    private(set) var areComplete = true
    /// The places of the definitions by the texts in which they stand.
    private var spans: [SourceID: [(span: Span, place: Place)]] = [:]
    private var places: [DefinitionRecord.Key: Place] = [:]
    private var refetching: [String: Place] = [:]

    private struct Place {
        let path: AbsolutePath
        let index: Int
    }

    init(_ compilation: Compilation, workingDirectory: AbsolutePath) {
        let reader = DefinitionReader(schema: compilation.schema)
        let found = Workers.all.map(compilation.documents) { documents in
            documents.map { loaded in
                loaded.document.definitions.map { ($0.span, reader.record(of: $0, in: loaded.source)) }
            }
        }
        for (loaded, definitions) in zip(compilation.documents, found.joined()) {
            if loaded.document.isIncomplete { areComplete = false }
            let path = AbsolutePath(loaded.source.path, relativeTo: workingDirectory)
            for case (let span, let record) in definitions {
                guard let record else {
                    areComplete = false
                    continue
                }
                let place = Place(path: path, index: byFile[path]?.count ?? 0)
                if places.updateValue(place, forKey: record.key) != nil { areComplete = false }
                if let query = record.refetchQuery { refetching[query] = place }
                spans[loaded.source.id, default: []].append((span, place))
                byFile[path, default: []].append(record)
            }
        }
    }

    /// Adds what generating has shown. What was not generated stays as it is.
    mutating func note(_ generation: Compilation.Generation) {
        for (owner, types) in generation.usedTypes {
            for place in self.places(of: owner) {
                let known = byFile[place.path]?[place.index].usedTypes ?? []
                byFile[place.path]?[place.index].usedTypes = known.isEmpty ? types : Set(known).union(types).sorted()
            }
        }
        for file in generation.files {
            guard let owner = file.owner else { continue }
            let places = self.places(of: owner)
            if places.isEmpty { areComplete = false }
            for place in places { byFile[place.path]?[place.index].artifacts.append(file.name) }
            // What two definitions share counts once.
            if let place = places.first { byFile[place.path]?[place.index].references += file.references }
        }
        for span in generation.emptied {
            guard let own = spans[span.source]?.first(where: { $0.span.start <= span.start && span.end <= $0.span.end })
            else {
                areComplete = false
                continue
            }
            byFile[own.place.path]?[own.place.index].isReadByContext = true
        }
        for path in byFile.keys {
            guard let count = byFile[path]?.count else { continue }
            for index in 0..<count { byFile[path]?[index].artifacts.sort() }
        }
    }

    /// The definitions that something was generated for: one, or two of the same name with the fragment of edges.
    private mutating func places(of owner: GeneratedFile.Owner) -> [Place] {
        switch owner {
        case .operation(let name):
            return [places[.init(isFragment: false, name: name)] ?? refetching[name]].compactMap(\.self)
        case .fragment(let name):
            if let place = places[.init(isFragment: true, name: name)] { return [place] }
            let suffix = "__edges"
            guard name.hasSuffix(suffix) else { return [] }
            let definition = String(name.dropLast(suffix.count))
            let found = [true, false].compactMap { places[.init(isFragment: $0, name: definition)] }
            for place in found { byFile[place.path]?[place.index].edgeFragment = name }
            return found
        }
    }
}
