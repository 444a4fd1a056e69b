import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSyntax
import BatonValidation

/// The run over the definitions that an edit touches, and over those that they reach.
///
/// Every function returns nil where the result might differ from that of a whole run, which is then made.
struct TouchedRun {
    private var compiler: Compiler
    private let start: RoundStart
    private let states: ProjectStates
    private let artifacts: ArtifactStates
    private let old: ProjectTable
    /// The table as it will be; the records of touched definitions are replaced at the end.
    private var new: ProjectTable
    private let isEdited: Set<AbsolutePath>

    static func perform(
        _ compiler: Compiler, _ start: RoundStart, _ states: ProjectStates, _ artifacts: ArtifactStates,
        _ table: ProjectTable
    ) -> Round? {
        var run = TouchedRun(
            compiler: compiler, start: start, states: states, artifacts: artifacts, old: table, new: table,
            isEdited: Set(states.changed + states.removed))
        return run.perform()
    }

    /// Whether a warning depends on nothing but a definition and what it reaches, and is found for it alone. `unmasked`
    /// are the files with fragments that stand in the places of spreads.
    static func isLocal(_ kept: KeptDiagnostic, _ unmasked: Set<AbsolutePath>) -> Bool {
        guard localWarnings.contains(kept.id), let path = kept.place.path, kept.paths == [path] else { return false }
        return !unmasked.contains(path) || !["needless-required", "renamed-member"].contains(kept.id)
    }

    /// The ids of such warnings. That a fragment is not used is found anew in each run.
    static let localWarnings: Set<String> = [
        "deprecated", "missing-identity", "needless-required", "renamed-member", "reserved-alias", "root-typename",
        "swift-unread", unusedFragment,
    ]

    private static let unusedFragment = DiagnosticID.unusedFragment.rawValue

    // MARK: - The run

    private mutating func perform() -> Round? {
        guard compiler.collected.allSatisfy({ $0.severity == .warning }) else { return nil }
        if compiler.loadedSchema == nil {
            guard let texts = states.texts(of: Set(states.schemaInputs.map(\.path))) else { return nil }
            compiler.overlays = texts
        }
        let schema = compiler.loadSchema(start.files, start.inputs)
        guard schema.isUsable else { return nil }
        guard let edited = readEdited(schema) else { return nil }
        let known = self.known
        new.documents = states.documents.map { input in
            if let definitions = edited[input.path] { return .init(input: input, definitions: definitions) }
            return known[input.path].map { .init(input: input, definitions: $0.definitions, warnings: $0.warnings) }
                ?? .init(input: input)
        }
        let records = new.documents.flatMap(\.definitions)
        guard areNamesFree(records) else { return nil }
        let usesRelay = records.contains(where: \.usesRelay)
        guard usesRelay == old.documents.contains(where: { $0.definitions.contains(where: \.usesRelay) }) else {
            return nil
        }
        let (before, after) = (DefinitionGraph(old.documents.flatMap(\.definitions)), DefinitionGraph(records))
        let edits = isEdited.map { path in
            TouchedDefinitions.Edit(before: known[path]?.definitions ?? [], after: edited[path] ?? [])
        }
        let touch = TouchedDefinitions(
            edits, from: before, to: after, together: new.documents.map { $0.definitions.map(\.key) })
        guard isIndependent(touch, before, after) else { return nil }
        return compile(touch, after, schema, usesRelay)
    }

    /// The files of the table by their paths. Making it costs the whole table.
    private var known: [AbsolutePath: ProjectTable.DocumentFile] {
        Dictionary(old.documents.map { ($0.input.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The records of the files that changed. A mistake that already shows when they are parsed is reported by a whole
    /// run.
    private func readEdited(_ schema: Compiler.SchemaResult) -> [AbsolutePath: [DefinitionRecord]]? {
        var reading = Compiler(workingDirectory: compiler.workingDirectory, overrides: compiler.overrides)
        reading.limits = compiler.limits
        reading.overlays = compiler.overlays
        let texts = reading.read(states.changed)
        let (documents, found) = reading.parse(texts)
        guard !found.hasErrors, reading.collected.isEmpty else { return nil }
        let records = DefinitionRecords(
            reading.compilation(schema: schema.schema, documents: documents),
            workingDirectory: compiler.workingDirectory)
        guard records.areComplete else { return nil }
        var result = records.byFile
        for path in states.changed where result[path] == nil { result[path] = [] }
        return result
    }

    /// Whether no name occurs twice, among those of definitions and of what is made of them.
    private func areNamesFree(_ records: [DefinitionRecord]) -> Bool {
        var operations: Set<String> = []
        var fragments: Set<String> = []
        for record in records where record.isFragment {
            guard fragments.insert(record.name.lowercased()).inserted else { return false }
        }
        for record in records {
            for name in record.isFragment ? [record.refetchQuery].compactMap(\.self) : [record.name] {
                guard operations.insert(name).inserted else { return false }
            }
            if let query = record.refetchQuery, fragments.contains(query.lowercased()) { return false }
            if fragments.contains((record.name + "__edges").lowercased()) { return false }
        }
        return true
    }

    /// Whether the artifacts of what is touched depend on nothing that reaches it, and whether there is a gain.
    private func isIndependent(
        _ touch: TouchedDefinitions, _ before: DefinitionGraph, _ after: DefinitionGraph
    ) -> Bool {
        let fragments = touch.read.union(touch.readBefore).union(
            touch.touched.filter(\.isFragment).map(\.name))
        for name in fragments {
            let key = DefinitionRecord.Key(isFragment: true, name: name)
            if before[key]?.isReadByContext == true || after[key]?.isReadByContext == true { return false }
        }
        return touch.touched.count + touch.read.count <= after.records.count * 2 / 3 + 50
    }

    // MARK: - Compiling

    private mutating func compile(
        _ touch: TouchedDefinitions, _ after: DefinitionGraph, _ schema: Compiler.SchemaResult, _ usesRelay: Bool
    ) -> Round? {
        let read = touch.touched.union(touch.read.map { .init(isFragment: true, name: $0) })
        let unused = unusedFragments(after)
        var kept = KeptReports(compiler, start)
        var isTouchedFile: Set<AbsolutePath> = isEdited
        var parsed: Set<AbsolutePath> = isEdited
        for (index, file) in new.documents.enumerated() {
            let path = file.input.path
            if file.definitions.contains(where: { read.contains($0.key) }) { parsed.insert(path) }
            if file.definitions.contains(where: { touch.touched.contains($0.key) }) {
                isTouchedFile.insert(path)
                new.documents[index].warnings = []
            } else {
                new.documents[index].warnings.removeAll { $0.id == Self.unusedFragment }
                kept.add(new.documents[index].warnings)
            }
            kept.add(unused[path] ?? [])
        }
        let paths = start.files.documents.filter { parsed.contains($0) || kept.paths.contains($0) }
        guard let known = states.texts(of: Set(paths)) else { return nil }
        compiler.overlays = known
        let texts = compiler.read(paths)
        guard texts.count == paths.count else { return nil }
        let (documents, found) = compiler.parse(
            zip(paths, texts).filter { parsed.contains($0.0) }.map(\.1))
        compiler.report(found)
        compiler.serverSources = new.hasDocuments && !documents.isEmpty ? compiler.schemaSources : []
        guard !documents.isEmpty else { return nil }
        var compilation = compiler.compilation(
            schema: schema.schema, documents: documents.map { limited($0, to: read) })
        compilation.layout = start.inputs.layout
        compilation.projectUsesRelay = usesRelay
        compiler.validate(compilation)
        let part = Compilation.Part(wanted: wanted(touch, after), standing: standing(after, touch, besides: read))
        guard let generation = compiler.generation(compilation, start.configuration, part: part),
            generation.emptied.isEmpty, !generation.hasRenamedTypes
        else { return nil }
        var records = DefinitionRecords(compilation, workingDirectory: compiler.workingDirectory)
        records.note(generation)
        let made = made(touch, in: records)
        let references = new.documents.flatMap(\.definitions).reduce(0) { $0 + (made[$1.key] ?? $1).references }
        compiler.report(ModuleSize.warnings(references: references))
        guard takeWarnings(in: isTouchedFile, unused: unused) else { return nil }
        kept.reportRead(to: &compiler)
        guard !compiler.hasErrors, records.areComplete else { return nil }
        return finish(made, generation)
    }

    /// The definitions of a document that are read.
    private func limited(_ loaded: LoadedDocument, to read: Set<DefinitionRecord.Key>) -> LoadedDocument {
        var document = loaded.document
        document.definitions.removeAll { definition in
            switch definition {
            case .operation(let operation):
                !read.contains(.init(isFragment: false, name: operation.name?.text ?? ""))
            case .fragment(let fragment): !read.contains(.init(isFragment: true, name: fragment.name.text))
            case .schema, .type, .directive: false
            }
        }
        return LoadedDocument(document: document, source: loaded.source, isInSwift: loaded.isInSwift)
    }

    private func wanted(_ touch: TouchedDefinitions, _ after: DefinitionGraph) -> DefinitionNames {
        var wanted = DefinitionNames()
        for key in touch.touched {
            if key.isFragment { wanted.fragments.insert(key.name) } else { wanted.operations.insert(key.name) }
            wanted.fragments.insert(key.name + "__edges")
            if let query = after[key]?.refetchQuery { wanted.operations.insert(query) }
        }
        return wanted
    }

    /// Names are known of what is read; the types that something uses only of what is generated.
    private func standing(
        _ after: DefinitionGraph, _ touch: TouchedDefinitions, besides read: Set<DefinitionRecord.Key>
    ) -> StandingDefinitions {
        var standing = StandingDefinitions()
        var fragments: Set<String> = []
        for record in after.records where !touch.touched.contains(record.key) {
            standing.usedTypes.formUnion(record.usedTypes)
        }
        for record in after.records where !read.contains(record.key) {
            switch record.kind {
            case .fragment: fragments.insert(record.name)
            case .query: add(.query)
            case .mutation: add(.mutation)
            case .subscription: add(.subscription)
            }
            func add(_ kind: OperationKind) {
                standing.operations.append(.init(name: record.name, kind: kind, isPreloadable: record.isPreloadable))
            }
            if let name = record.edgeFragment { fragments.insert(name) }
            if let name = record.refetchQuery { standing.refetchQueries.append(name) }
            standing.providers.formUnion(record.providers)
        }
        standing.fragments = fragments.sorted()
        return standing
    }

    // MARK: - Warnings

    /// The warnings about fragments that no operation reaches, by their files.
    private func unusedFragments(_ after: DefinitionGraph) -> [AbsolutePath: [KeptDiagnostic]] {
        var result: [AbsolutePath: [KeptDiagnostic]] = [:]
        let unused = Set(after.unusedFragments().map { after.records[$0].name })
        if unused.isEmpty { return [:] }
        for file in new.documents {
            for record in file.definitions where record.isFragment && unused.contains(record.name) {
                let place = KeptDiagnostic.Place(
                    path: file.input.path, start: record.nameRange.lowerBound, end: record.nameRange.upperBound)
                let message = Diagnostic.unusedFragment(record.name, at: .none).message
                result[file.input.path, default: []].append(
                    KeptDiagnostic(id: Self.unusedFragment, message: message, place: place))
            }
        }
        return result
    }

    /// Remembers the warnings of this run, and takes away those that a part of the project does not tell. False if a
    /// warning may depend on the rest.
    private mutating func takeWarnings(
        in touched: Set<AbsolutePath>, unused: [AbsolutePath: [KeptDiagnostic]]
    ) -> Bool {
        var numbers: [AbsolutePath: Int] = [:]
        let unmasked = new.filesOfUnmasked
        for (number, file) in new.documents.enumerated() {
            numbers[file.input.path] = number
            guard file.warnings.allSatisfy({ Self.isLocal($0, unmasked) }) else { return false }
            new.documents[number].warnings += unused[file.input.path] ?? []
        }
        new.warnings = []
        var removed: Set<Diagnostic> = []
        for diagnostic in compiler.collected.dropFirst(start.firstOwnDiagnostic) {
            let kept = KeptDiagnostic(diagnostic, in: compiler)
            guard let path = kept.place.path, let number = numbers[path] else {
                new.warnings.append(kept)
                continue
            }
            if !Self.isLocal(kept, unmasked) { return false }
            if kept.id == Self.unusedFragment || !touched.contains(path) {
                removed.insert(diagnostic)
            } else {
                new.documents[number].warnings.append(kept)
            }
        }
        compiler.removeDiagnostics(where: removed.contains)
        return true
    }

    // MARK: - Results

    /// The records of what was generated.
    private func made(
        _ touch: TouchedDefinitions, in records: DefinitionRecords
    ) -> [DefinitionRecord.Key: DefinitionRecord] {
        var made: [DefinitionRecord.Key: DefinitionRecord] = [:]
        for record in records.byFile.values.joined() where touch.touched.contains(record.key) {
            made[record.key] = record
        }
        return made
    }

    private mutating func finish(
        _ made: [DefinitionRecord.Key: DefinitionRecord], _ generation: Compilation.Generation
    ) -> Round? {
        for index in new.documents.indices {
            new.documents[index].definitions = new.documents[index].definitions.map { made[$0.key] ?? $0 }
        }
        new.time = start.time
        new.schema = Array(states.schemaInputs.prefix(states.schemaCount))
        new.schemaExtensions = Array(states.schemaInputs.dropFirst(states.schemaCount))
        new.hasDocuments = true
        // What definitions share was made again for all of them.
        let shared = generation.files.filter { $0.owner == nil }.map(\.name)
        let wanted = Set(shared).union(new.documents.flatMap { $0.definitions.flatMap(\.artifacts) })
        return plan(generation.files, wanted)
    }

    private func plan(_ files: [GeneratedFile], _ wanted: Set<String>) -> Round? {
        let known = Dictionary(artifacts.artifacts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var draft = TableDraft(table: new)
        var changed: [GeneratedFile] = []
        var isMade: Set<String> = []
        for file in files {
            isMade.insert(file.name)
            let hash = ContentHash.of(file.text)
            if let artifact = known[file.name], artifact.hash == hash {
                draft.standing.append(artifact)
            } else {
                changed.append(file)
                draft.made[file.name] = hash
            }
        }
        for name in wanted where !isMade.contains(name) {
            guard let artifact = known[name] else { return nil }
            draft.standing.append(artifact)
        }
        let displayed = compiler.displayed
        let (plan, mistakes) = ArtifactPlan.make(
            changed, in: start.configuration.outputDirectory, standing: Set(draft.standing.map(\.name)),
            displayed: displayed)
        guard mistakes.isEmpty, plan.removed.isEmpty else { return nil }
        var round = Round(compiler)
        round.extent = .part(files.count)
        round.changedFiles = states.changed + states.removed
        round.artifacts = plan
        round.table = draft
        if let path = start.configuration.persistedFile {
            let made = PersistedFile.make(compiler.persistedTexts, at: path, displayed: displayed)
            guard made.diagnostics.isEmpty, let file = made.file else { return nil }
            round.persisted = file
        }
        return round
    }
}
