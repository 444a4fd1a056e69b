import BatonCompiler
import BatonDiagnostics
import BatonSyntax

/// The operations and fragments of a project by name and by file.
package struct DefinitionIndex: Sendable {
    /// An operation or fragment, with its places in its file.
    package struct Entry: Hashable, Sendable {
        package let kind: DefinitionRecord.Kind
        package let name: String
        package let path: AbsolutePath
        /// The range of the name, in bytes.
        package let nameRange: Range<Int>
        /// The range of the whole definition, in bytes.
        package let range: Range<Int>
        /// The type condition of a fragment.
        package let type: String?
        /// The declared arguments of a fragment, each with its type as it is written.
        package let arguments: [Argument]
        /// The fragments that are spread, each once.
        package let spreads: [String]

        package var isFragment: Bool { kind == .fragment }
    }

    package struct Argument: Hashable, Sendable {
        package let name: String
        package let type: String?
        package let isRequired: Bool
    }

    /// The definitions of a parsed text.
    private struct Facts: Sendable {
        let source: SourceFile
        let entries: [Entry]
    }

    /// The definitions of each parsed text by the id of its source; the literals of a Swift file may share an id. An
    /// update keeps the definitions of a text whose source is the same object.
    private var facts: [SourceID: [Facts]] = [:]
    package private(set) var fragments: [String: Entry] = [:]
    package private(set) var operations: [String: Entry] = [:]
    /// The files with spreads of each fragment, in the order of their paths.
    private var users: [String: [AbsolutePath]] = [:]

    package init() {}

    package func filesSpreading(_ fragment: String) -> [AbsolutePath] { users[fragment] ?? [] }

    /// The fragments in a file, in their order.
    package func fragments(in path: AbsolutePath) -> [Entry] {
        facts.values.joined().filter { $0.entries.first?.path == path }.flatMap { $0.entries.filter(\.isFragment) }
            .sorted { $0.nameRange.lowerBound < $1.nameRange.lowerBound }
    }

    /// The fragments by name without those of a file, which has fragments with some `names`. Another file may have one
    /// of these names too, which counts then.
    package func fragments(outside path: AbsolutePath, _ names: some Collection<String>) -> [String: Entry] {
        var result = fragments
        var hidden: Set<String> = []
        for name in names where result[name]?.path == path {
            result[name] = nil
            hidden.insert(name)
        }
        if hidden.isEmpty { return result }
        for entry in facts.values.joined().flatMap(\.entries) where entry.isFragment && hidden.contains(entry.name) {
            guard entry.path != path, result[entry.name].map({ entry.path < $0.path }) ?? true else { continue }
            result[entry.name] = entry
        }
        return result
    }

    /// All definitions, sorted by name.
    package var all: [Entry] { (Array(operations.values) + fragments.values).sorted { $0.name < $1.name } }

    /// Replaces all definitions by those of `documents`. Of two definitions with one name, the first one counts.
    mutating func update(_ documents: [LoadedDocument], workingDirectory: AbsolutePath) {
        var next: [SourceID: [Facts]] = [:]
        var counts: [SourceID: Int] = [:]
        fragments.removeAll(keepingCapacity: true)
        operations.removeAll(keepingCapacity: true)
        users.removeAll(keepingCapacity: true)
        for loaded in documents {
            let number = counts[loaded.source.id, default: 0]
            counts[loaded.source.id] = number + 1
            let known = facts[loaded.source.id].flatMap { number < $0.count ? $0[number] : nil }
            let fact: Facts
            if let known, known.source === loaded.source {
                fact = known
            } else {
                let path = AbsolutePath(loaded.source.path, relativeTo: workingDirectory)
                fact = Facts(
                    source: loaded.source, entries: Self.entries(of: loaded.document, loaded.source, path))
            }
            next[loaded.source.id, default: []].append(fact)
            for entry in fact.entries { add(entry) }
        }
        facts = next
    }

    private mutating func add(_ entry: Entry) {
        if entry.isFragment {
            if fragments[entry.name] == nil { fragments[entry.name] = entry }
        } else if operations[entry.name] == nil {
            operations[entry.name] = entry
        }
        for name in entry.spreads where users[name]?.last != entry.path { users[name, default: []].append(entry.path) }
    }

    /// The definitions with names in a document.
    package static func entries(of document: Document, _ source: SourceFile, _ path: AbsolutePath) -> [Entry] {
        func range(_ span: Span) -> Range<Int> {
            let (start, end) = (source.originalOffset(of: Int(span.start)), source.originalOffset(of: Int(span.end)))
            return start..<max(start, end)
        }
        return document.definitions.compactMap { definition in
            switch definition {
            case .operation(let operation):
                guard let name = operation.name else { return nil }
                return Entry(
                    kind: DefinitionReader.kind(of: operation.kind), name: name.text, path: path,
                    nameRange: range(name.span), range: range(operation.span), type: nil, arguments: [],
                    spreads: DefinitionReader.spreads(in: operation.selectionSet).all)
            case .fragment(let fragment):
                return Entry(
                    kind: .fragment, name: fragment.name.text, path: path, nameRange: range(fragment.name.span),
                    range: range(fragment.span), type: fragment.typeCondition.text,
                    arguments: arguments(of: fragment),
                    spreads: DefinitionReader.spreads(in: fragment.selectionSet).all)
            case .schema, .type, .directive: return nil
            }
        }
    }

    private static func arguments(of fragment: FragmentDefinition) -> [Argument] {
        let declarations = fragment.directives.first { $0.name.text == "argumentDefinitions" }?.arguments ?? []
        return declarations.map { declaration in
            var type: String?
            var hasDefault = false
            if case .object(let object) = declaration.value {
                for field in object.fields {
                    if field.name.text == "type", case .string(let text) = field.value { type = text.text }
                    if field.name.text == "defaultValue" || field.name.text == "provider" { hasDefault = true }
                }
            }
            return Argument(
                name: declaration.name.text, type: type, isRequired: type?.hasSuffix("!") == true && !hasDefault)
        }
    }
}
