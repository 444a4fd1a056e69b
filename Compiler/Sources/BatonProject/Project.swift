import BatonCompiler
import BatonDiagnostics

/// A project as it is from one run to the next: what `compile`, `--watch` and tools ask.
///
///     round()          compares the inputs with the table, and computes what an edit touches
///     apply(_:)        writes what a round has found, and remembers it
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
    /// The identity of the program, whose next version may generate something else.
    private let program: String
    /// What the last round that was applied, or another process, has left.
    package private(set) var table: ProjectTable?
    private var isTableLoaded = false
    private var schema: KeptSchema?

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
        isTableLoaded = true
    }

    // MARK: - Rounds

    /// Compares the inputs with what is known, and computes what is to be written. `isFresh` computes everything, and
    /// trusts no table.
    package mutating func round(isFresh: Bool = false) -> Round {
        var compiler = Compiler(workingDirectory: workingDirectory, overrides: overrides)
        compiler.overlays = overlays
        if let shareSize { compiler.shareSize = shareSize }
        var folders: Set<AbsolutePath> = [
            configurationPath.parent, InputFile.identity(of: configurationPath).parent,
        ]
        guard let configuration = compiler.readConfiguration(configurationPath) else {
            var round = Round(compiler)
            round.folders = folders
            return round
        }
        let key = key(of: compiler.sources.files.first?.bytes ?? [])
        let inputs = ProjectInputs(configuration)
        let files = compiler.find(inputs)
        folders.formUnion(files.folders)
        folders.insert(configuration.outputDirectory)
        if let persisted = configuration.persistedFile { folders.insert(persisted.parent) }
        var start = RoundStart(
            configuration: configuration, inputs: inputs, files: files, firstOwnDiagnostic: compiler.collected.count,
            key: key, time: FileStamp.now())
        if isFresh {
            let states = ProjectStates(files, comparedWith: nil, overlays: overlays)
            return WholeRun.perform(compiler, start, states).round
        }
        if !isTableLoaded {
            table = cache?.load(for: configurationPath)
            isTableLoaded = true
        }
        if table?.key != key { table = nil }
        let states = ProjectStates(files, comparedWith: table, overlays: overlays)
        if let kept = schema, kept.key == key, kept.inputs == states.schemaInputs {
            compiler.loadedSchema = kept.loaded
        }
        var result = perform(compiler, &start, states)
        result.folders = Set(folders.map(Self.nearest))
        if let loaded = result.compiler.loadedSchema {
            schema = KeptSchema(key: key, inputs: states.schemaInputs, loaded: loaded)
        }
        return result
    }

    /// The folder, or the nearest one above that exists.
    private static func nearest(to folder: AbsolutePath) -> AbsolutePath {
        var folder = folder
        while FileKind(at: folder) != .folder, folder != folder.parent { folder = folder.parent }
        return folder
    }

    private func perform(_ compiler: Compiler, _ start: inout RoundStart, _ states: ProjectStates) -> Round {
        if let table, states.areArtifactsComparable,
            let artifacts = ArtifactStates(table, in: start.configuration)
        {
            if states.isUnchanged {
                if let round = QuietRun.perform(compiler, start, states, artifacts, table) { return round }
            } else if states.isSchemaUnchanged, table.isDivisible,
                let round = TouchedRun.perform(compiler, start, states, artifacts, table)
            {
                return round
            }
        }
        return WholeRun.perform(compiler, start, states).round
    }

    /// Writes what a round has found, and remembers it. Returns what could not be written.
    package mutating func apply(_ round: Round, displayed: (AbsolutePath) -> String) -> [Diagnostic] {
        guard let artifacts = round.artifacts else { return [] }
        let failures = artifacts.apply(displayed: displayed) + (round.persisted?.apply(displayed: displayed) ?? [])
        guard failures.isEmpty, let made = round.table else {
            if !failures.isEmpty { table = nil }
            return failures
        }
        let stamped = made.stamped(in: artifacts.folder, persisted: round.persisted?.path)
        if let stamped, stamped != table, overlays.isEmpty {
            cache?.save(stamped, for: configurationPath)
        }
        table = stamped
        return []
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
