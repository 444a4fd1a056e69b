import BatonCompiler
import BatonDiagnostics

/// A project as it is from one run to the next: what `compile`, `--watch` and tools ask.
///
///     round()              compares the inputs with the table, and computes what an edit touches
///     round(changing:)     does so for some documents, where it is known that nothing else has changed
///     apply(_:)            writes what a round has found, and remembers it
///
/// A round gives the same diagnostics and the same artifacts as a compiler that knows nothing; the page "The project
/// database" says when it computes only a part of them. It writes nothing. One owner uses a project; it is a value.
package struct Project: Sendable {
    package let workingDirectory: AbsolutePath
    package let overrides: ProjectOverrides
    package let configurationPath: AbsolutePath
    /// The texts that count as the bytes of documents, such as the unsaved ones of an editor.
    package var overlays: [AbsolutePath: [UInt8]] = [:]
    /// The number of definitions that are generated at a time; nil for the compiler's choice.
    package var shareSize: Int?
    /// Where the table is kept between processes; nil if it is not.
    package let cache: ProjectCache?
    /// Whether each round that is applied keeps the table; otherwise `save` does.
    package var savesEachRound = true
    /// The identity of the program, whose next version may generate something else.
    private let program: String
    /// What the last round that was applied, or another process, has left.
    package private(set) var table: ProjectTable?
    private var isTableLoaded = false
    private var schema: KeptSchema?
    /// What the last round has seen.
    private var seen: SeenProject?
    private var isUnsaved = false

    /// A schema that was read, and the state of its files.
    private struct KeptSchema: Sendable {
        let key: UInt64
        let inputs: [ProjectTable.Input]
        let loaded: Compiler.LoadedSchema
    }

    package init(
        workingDirectory: AbsolutePath, configuration: AbsolutePath, overrides: ProjectOverrides = ProjectOverrides(),
        program: String, cache: ProjectCache? = nil
    ) {
        self.workingDirectory = workingDirectory
        configurationPath = configuration
        self.overrides = overrides
        self.program = program
        self.cache = cache
    }

    /// Forgets everything, so that the next round computes everything.
    package mutating func forget() {
        table = nil
        schema = nil
        seen = nil
        isTableLoaded = true
    }

    // MARK: - Rounds

    /// Reads the configuration, and finds the files of the project.
    package func search() -> ProjectSearch {
        var compiler = Compiler(workingDirectory: workingDirectory, overrides: overrides)
        compiler.overlays = overlays
        if let shareSize { compiler.shareSize = shareSize }
        var folders: Set<AbsolutePath> = [
            configurationPath.parent, InputFile.identity(of: configurationPath).parent,
        ]
        guard let configuration = compiler.readConfiguration(configurationPath) else {
            return ProjectSearch(compiler: compiler, start: nil, folders: folders)
        }
        let key = key(of: compiler.sources.files.first?.bytes ?? [])
        let inputs = ProjectInputs(configuration)
        let files = compiler.find(inputs)
        folders.formUnion(files.folders)
        folders.insert(configuration.outputDirectory)
        if let persisted = configuration.persistedFile { folders.insert(persisted.parent) }
        let start = RoundStart(
            configuration: configuration, inputs: inputs, files: files, firstOwnDiagnostic: compiler.collected.count,
            key: key, time: FileStamp.now())
        return ProjectSearch(compiler: compiler, start: start, folders: Set(folders.map(Self.nearest)))
    }

    /// Compares the inputs with what is known, and computes what is to be written. `isFresh` computes everything, and
    /// trusts no table.
    package mutating func round(isFresh: Bool = false) -> Round { round(search(), isFresh: isFresh) }

    /// The same after a search, with the states of all files as they are now.
    package mutating func round(_ search: ProjectSearch, isFresh: Bool = false) -> Round {
        seen = nil
        guard var start = search.start else { return Round(search.compiler) }
        start.time = FileStamp.now()
        if isFresh {
            let states = ProjectStates(start.files, comparedWith: nil, overlays: overlays)
            return wholeRound(search.compiler, start, states).round
        }
        if !isTableLoaded {
            table = cache?.load(for: configurationPath)
            isTableLoaded = true
        }
        if table?.key != start.key { table = nil }
        let states = ProjectStates(start.files, comparedWith: table, overlays: overlays)
        let artifacts =
            states.areArtifactsComparable ? table.flatMap { ArtifactStates($0, in: start.configuration) } : nil
        var result = perform(search, start, states, artifacts)
        if table == nil, result.round.artifacts != nil, let output = start.inputs.output {
            result.round.formerArtifacts = ArtifactPlan.formerArtifacts(
                below: start.inputs.base, outside: output, of: Set(start.files.documents),
                isSeparate: start.inputs.isSeparate)
        }
        seen = SeenProject(
            search, start, result.states, areArtifactsKnown: artifacts != nil, configurationPath: configurationPath)
        return result.round
    }

    /// The documents that have to be compared if nothing has happened but to some entries of folders; nil if everything
    /// has. The last round must have looked at a project in which every event since is known.
    package func documents(among entries: Set<AbsolutePath>) -> Set<AbsolutePath>? {
        overlays.isEmpty ? seen?.documents(among: entries, table) : nil
    }

    /// The round after which the project is up to date if nothing has changed since the last one but these documents.
    package mutating func round(changing documents: Set<AbsolutePath>) -> Round {
        guard let seen else { return round() }
        var start = seen.start
        start.time = FileStamp.now()
        let states = seen.states.updated(documents, comparedWith: table)
        let areKnown = states.areArtifactsComparable && seen.areArtifactsKnown
        let artifacts = areKnown ? table.map(ArtifactStates.init(unchanged:)) : nil
        let result = perform(seen.search, start, states, artifacts)
        self.seen = seen.with(result.states)
        return result.round
    }

    /// The folder, or the nearest one above that exists.
    static func nearest(to folder: AbsolutePath) -> AbsolutePath {
        var folder = folder
        while FileKind(at: folder) != .folder, folder != folder.parent { folder = folder.parent }
        return folder
    }

    /// A round, and the states of what it has compiled.
    private typealias Performed = (round: Round, states: ProjectStates)

    private mutating func perform(
        _ search: ProjectSearch, _ start: RoundStart, _ states: ProjectStates, _ artifacts: ArtifactStates?
    ) -> Performed {
        var compiler = search.compiler
        compiler.overlays = states.texts
        if let kept = schema, kept.key == start.key, kept.inputs == states.schemaInputs {
            compiler.loadedSchema = kept.loaded
        }
        let result = smallestRound(compiler, start, states, artifacts) ?? wholeRound(compiler, start, states)
        if let loaded = result.round.compiler.loadedSchema {
            schema = KeptSchema(key: start.key, inputs: result.states.schemaInputs, loaded: loaded)
        }
        return result
    }

    /// The round over nothing, or over what is touched; nil if everything is to be computed.
    private func smallestRound(
        _ compiler: Compiler, _ start: RoundStart, _ states: ProjectStates, _ artifacts: ArtifactStates?
    ) -> Performed? {
        guard let table, let artifacts else { return nil }
        if states.isUnchanged {
            return QuietRun.perform(compiler, start, states, artifacts, table).map { ($0, states) }
        }
        guard states.isSchemaUnchanged, table.isDivisible else { return nil }
        return TouchedRun.perform(compiler, start, states, artifacts, table).map { ($0, states) }
    }

    private func wholeRound(_ compiler: Compiler, _ start: RoundStart, _ states: ProjectStates) -> Performed {
        var (compiler, states) = (compiler, states)
        states.readTexts(ofSchema: compiler.loadedSchema == nil)
        compiler.overlays = states.texts
        return (WholeRun.perform(compiler, start, states).round, states)
    }

    /// Writes what a round has found, and remembers it. Returns what could not be written.
    package mutating func apply(_ round: Round, displayed: (AbsolutePath) -> String) -> [Diagnostic] {
        guard let artifacts = round.artifacts else { return [] }
        let failures =
            artifacts.apply(displayed: displayed) + (round.persisted?.apply(displayed: displayed) ?? [])
            + (round.builders?.apply(displayed: displayed) ?? [])
        guard failures.isEmpty, let made = round.table else {
            if !failures.isEmpty { (table, seen) = (nil, nil) }
            return failures
        }
        let stamped = made.stamped(in: artifacts.folder, persisted: round.persisted?.path)
        if let stamped, overlays.isEmpty, stamped != table { isUnsaved = true }
        table = stamped
        seen?.areArtifactsKnown = stamped != nil
        if savesEachRound { save() }
        return []
    }

    /// Keeps the table for other processes, if it is another one than was kept last.
    package mutating func save() {
        guard isUnsaved, let table else { return }
        cache?.save(table, for: configurationPath)
        isUnsaved = false
    }

    private func key(of configuration: [UInt8]) -> UInt64 {
        var hash = ContentHash.of(program)
        hash = ContentHash.of(configurationPath.description, after: hash)
        hash = ContentHash.of(configuration, after: hash)
        for id in DiagnosticID.warnings {
            hash = ContentHash.of(overrides.warnings[id]?.rawValue ?? "", after: hash)
        }
        hash = ContentHash.of(overrides.artifactFolder?.description ?? "", after: hash)
        return ContentHash.of("\(overrides.nesting ?? -1) \(overrides.tokens ?? -1)", after: hash)
    }
}
