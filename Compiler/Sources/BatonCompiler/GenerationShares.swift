import BatonCodegen
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

/// The parts of a large project that workers generate one by one, so that only a few of them are in memory.
///
/// A share has definitions that follow each other in the documents, and is compiled with the fragments that they reach.
/// The artifacts of a definition depend on these alone, unless a name is taken twice or arguments of spreads change how
/// a fragment is read. In these cases, after an error, and if a warning depends on other definitions, the project is
/// generated as a whole.
struct GenerationShares {
    private let program: Program
    private let options: GenerationOptions
    private let shares: [Share]
    /// The definitions in the order of their places, by the text in which they stand.
    private let places: [SourceID: [(span: Span, key: Key)]]
    /// The fragments that stand in the places of some of their spreads.
    private let unmasked: Set<String>

    private struct Key: Hashable, Sendable {
        let isFragment: Bool
        let name: String
    }

    private struct Share: Sendable {
        let program: Program
        let keys: Set<Key>
        let wanted: DefinitionNames
    }

    /// Nil if the program is too small for several shares of a size.
    init?(_ program: Program, _ documents: [LoadedDocument], _ options: GenerationOptions, size: Int) {
        guard program.operations.count + program.fragments.count >= size else { return nil }
        self.program = program
        self.options = options
        var places: [SourceID: [(span: Span, key: Key)]] = [:]
        var keys: [Key] = []
        for loaded in documents {
            for definition in loaded.document.definitions {
                guard let key = Self.key(of: definition) else { return nil }
                places[loaded.source.id, default: []].append((definition.span, key))
                keys.append(key)
            }
        }
        self.places = places
        var spreads: [Key: [TypedSpread]] = [:]
        for item in program.operations {
            spreads[Key(isFragment: false, name: item.name)] = TypedSelection.spreads(in: item.selections)
        }
        for item in program.fragments {
            spreads[Key(isFragment: true, name: item.name)] = TypedSelection.spreads(in: item.selections)
        }
        unmasked = Set(
            spreads.values.joined().lazy.filter { $0.directives.named("relay") != nil }.map(\.fragment))
        let reached = spreads.mapValues { $0.map(\.fragment) }
        shares = Self.ranges(of: keys.count, size: size).map { Self.share(Set(keys[$0]), of: program, reached) }
    }

    /// The parts of a list: large ones first, because a large share compiles fewer fragments twice, and small ones at
    /// the end, so that all workers end at about the same time, and less is in memory beside all the artifacts.
    static func ranges(of count: Int, size: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start < count {
            let rest = count - start
            let own = min(rest, max(1, size / 5, min(size, rest / 4)))
            ranges.append(start..<(start + own))
            start += own
        }
        return ranges
    }

    private static func key(of definition: Definition) -> Key? {
        switch definition {
        case .operation(let operation): operation.name.map { Key(isFragment: false, name: $0.text) }
        case .fragment(let fragment): Key(isFragment: true, name: fragment.name.text)
        case .schema, .type, .directive: nil
        }
    }

    private static func share(_ own: Set<Key>, of program: Program, _ spreads: [Key: [String]]) -> Share {
        var reached = own
        var pending = Array(own)
        while let key = pending.popLast() {
            for name in spreads[key] ?? [] {
                let next = Key(isFragment: true, name: name)
                if reached.insert(next).inserted { pending.append(next) }
            }
        }
        let operations = program.operations.filter { reached.contains(Key(isFragment: false, name: $0.name)) }
        let fragments = program.fragments.filter { reached.contains(Key(isFragment: true, name: $0.name)) }
        var wanted = DefinitionNames()
        for key in own {
            if key.isFragment { wanted.fragments.insert(key.name) } else { wanted.operations.insert(key.name) }
            wanted.fragments.insert(edges(of: key.name))
        }
        for fragment in fragments where wanted.fragments.contains(fragment.name) {
            if let query = fragment.refetchQueryName { wanted.operations.insert(query) }
        }
        return Share(
            program: Program(schema: program.schema, operations: operations, fragments: fragments), keys: own,
            wanted: wanted)
    }

    /// The name of the fragment that a connection may make of its edges.
    private static func edges(of name: String) -> String { name + "__edges" }

    /// Whether every type has the name that it wants, with all types that could be generated.
    private static func areNamesFree(_ program: Program, _ options: GenerationOptions) -> Bool {
        var used = UsedTypes(schema: program.schema)
        for operation in program.operations {
            for variable in operation.variables { used.visit(variable.type) }
            visit(operation.selections, &used)
        }
        for fragment in program.fragments {
            for argument in fragment.arguments { used.visit(argument.type) }
            visit(fragment.selections, &used)
        }
        var others = StandingDefinitions()
        let refetching = program.fragments.compactMap(\.refetchQueryName)
        others.operations = refetching.map { .init(name: $0, kind: .query, isPreloadable: false) }
        others.fragments = (program.operations.map(\.name) + program.fragments.map(\.name)).map(edges)
        var operations: Set<String> = []
        var fragments: Set<String> = []
        return program.operationNames.allSatisfy { operations.insert($0).inserted }
            && (program.fragments.map(\.name) + others.fragments).allSatisfy {
                fragments.insert($0.lowercased()).inserted
            }
            && refetching.allSatisfy { !fragments.contains($0.lowercased()) }
            && !TypeNames(program: program, used: used, types: options.types, standing: others).hasRenamed
    }

    /// The parser's nesting limit bounds the recursion.
    private static func visit(_ selections: [TypedSelection], _ used: inout UsedTypes) {
        for selection in selections {
            switch selection {
            case .field(let field):
                if field.selections.isEmpty {
                    used.visit(field.definition.type)
                } else {
                    visit(field.selections, &used)
                }
            case .inlineFragment(let inline): visit(inline.selections, &used)
            case .spread: break
            }
        }
    }

    // MARK: - Generating

    /// Calls `body` with the program of each share and with the definitions to generate, and puts the results together.
    /// Nil if they may differ from those of the whole.
    func generate(
        _ workers: Workers, _ body: @Sendable (Program, DefinitionNames) -> Compilation.Generation
    ) -> Compilation.Generation? {
        // One part for each share, so that a worker takes the next one as soon as it is free. One more part looks at
        // the names meanwhile, since they are free in almost all projects.
        let parts = workers.count == 1 ? workers : Workers(count: shares.count + 1)
        let works = [nil] + shares.map(Optional.some)
        let made = parts.map(works) { works in
            works.map { share in
                guard let share else { return Self.areNamesFree(program, options) ? Compilation.Generation() : nil }
                return body(share.program, share.wanted)
            }
        }.joined()
        guard let names = made.first, names != nil else { return nil }
        var whole = Compilation.Generation()
        whole.shares = shares.count
        var files: [String: GeneratedFile] = [:]
        var shared: Set<Diagnostic> = []
        for (share, part) in zip(shares, made.dropFirst().lazy.compactMap(\.self)) {
            guard part.emptied.isEmpty, !part.hasRenamedTypes else { return nil }
            for file in part.files { files[file.name] = file }
            whole.texts.merge(part.texts) { first, _ in first }
            whole.usedTypes.merge(part.usedTypes) { first, _ in first }
            for diagnostic in part.diagnostics {
                guard let key = key(at: diagnostic.span) else {
                    guard Self.warningsOfTypes.contains(diagnostic.id) else { return nil }
                    if shared.insert(diagnostic).inserted { whole.diagnostics.append(diagnostic) }
                    continue
                }
                guard isLocal(diagnostic, in: key) else { return nil }
                if share.keys.contains(key) { whole.diagnostics.append(diagnostic) }
            }
        }
        whole.files = files.values.sorted { $0.name < $1.name }
        return whole
    }

    /// The definition at a place; nil for a place in the schema.
    private func key(at span: Span) -> Key? {
        places[span.source]?.first { $0.span.start <= span.start && span.end <= $0.span.end }?.key
    }

    /// Whether a warning depends on nothing but a definition and what it reaches, and is found for it alone.
    private func isLocal(_ diagnostic: Diagnostic, in key: Key) -> Bool {
        guard diagnostic.severity == .warning, diagnostic.notes.isEmpty else { return false }
        if Self.warningsOfPlans.contains(diagnostic.id) { return !(key.isFragment && unmasked.contains(key.name)) }
        return Self.warningsOfDefinitions.contains(diagnostic.id)
    }

    /// The warnings that are found again for each definition into which a fragment is put.
    private static let warningsOfPlans: Set<DiagnosticID> = [.needlessRequired, .renamedMember]
    private static let warningsOfDefinitions: Set<DiagnosticID> = [.missingIdentity, .reservedAlias]
    private static let warningsOfTypes: Set<DiagnosticID> = [.unmappedScalar, .renamedMember]
}
