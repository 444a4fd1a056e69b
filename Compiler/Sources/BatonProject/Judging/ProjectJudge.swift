import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The judge of a project whose documents somebody edits. It finds the diagnostics of the project again after each
/// edit, and generates and writes nothing.
///
///     judge(overlays:looksForFiles:)   reads and parses the texts that changed, and judges all definitions
///     Judgement.rest                   applies the rules of Relay's directives, which takes longer
///
/// After both, the diagnostics are those of `baton validate` on the same texts. A judge keeps the syntax trees of the
/// documents. It is a value with one owner.
package struct ProjectJudge: Sendable {
    package let configurationPath: AbsolutePath
    /// The folder from which paths in messages are shown.
    private let workingDirectory: AbsolutePath
    private let overrides: ProjectOverrides
    /// The configuration and the files of the project when the disk was searched last; nil if the configuration could
    /// not be read.
    private var found: Found?
    /// The text of each file, with the stamp that the file had when it was read.
    private var texts: [AbsolutePath: FileText] = [:]
    /// The bytes of `texts`, in the form of the compiler's overlays.
    private var bytes: [AbsolutePath: [UInt8]] = [:]
    /// The time at which the disk was searched last.
    private var time: Int64 = 0
    private var known = KnownTexts()
    private var schema: KeptSchema?
    private var index = DefinitionIndex()

    private struct Found: Sendable {
        /// A compiler that has read the configuration. Each judgement begins with a copy.
        let compiler: Compiler
        let configuration: Configuration
        let inputs: ProjectInputs
        let files: ProjectFiles
    }

    private struct FileText: Sendable {
        let stamp: FileStamp
        let bytes: [UInt8]
    }

    /// The schema of the last judgement, with the texts from which it was made.
    private struct KeptSchema: Sendable {
        let configuration: [UInt8]
        let texts: [[UInt8]?]
        let loaded: Compiler.LoadedSchema
    }

    /// `workingDirectory` is the folder from which paths in messages are shown; if left out, that of the configuration.
    package init(
        configuration: AbsolutePath, workingDirectory: AbsolutePath? = nil,
        overrides: ProjectOverrides = ProjectOverrides()
    ) {
        configurationPath = configuration
        self.workingDirectory = workingDirectory ?? configuration.parent
        self.overrides = overrides
    }

    /// The result of judging a project.
    package struct Judgement: Sendable {
        package let view: ProjectView
        /// The diagnostics in the order of `baton validate`, with places in files.
        package let diagnostics: [KeptDiagnostic]
        /// The rules that have not been applied yet; nil if all have been.
        package let rest: Rest?
    }

    /// The rules of Relay's directives, which are applied if the documents have no error and use such a directive.
    package struct Rest: Sendable {
        private let compilation: Compilation
        private let view: ProjectView

        init?(_ view: ProjectView) {
            guard let compilation = view.compilation, view.compiler.needsRelayJudgement(compilation) else { return nil }
            self.compilation = compilation
            self.view = view
        }

        package func judge() -> Judgement {
            Judgement(view: view, diagnostics: ProjectJudge.kept(compiler()), rest: nil)
        }

        /// The compiler that has applied all rules.
        func compiler() -> Compiler {
            var compiler = view.compiler
            compiler.judgeRelayUse(compilation)
            return compiler
        }
    }

    // MARK: - Judging

    /// Judges all documents. `overlays` are the texts of files that the user has not saved, and count instead of the
    /// bytes on disk. The disk is searched only in the first judgement and if `looksForFiles`.
    package mutating func judge(overlays: [AbsolutePath: [UInt8]], looksForFiles: Bool) -> Judgement {
        if looksForFiles || found == nil {
            if let failure = findFiles() { return failure }
        }
        guard let found else { return Judgement(view: ProjectView(), diagnostics: [], rest: nil) }
        var compiler = found.compiler
        compiler.overlays = bytes.merging(overlays) { _, overlay in overlay }
        compiler.knownTexts = known
        let configuration = compiler.sources.files.first?.bytes ?? []
        let schemaTexts = (found.files.schema + found.files.schemaExtensions).map { compiler.overlays[$0] }
        if let schema, schema.configuration == configuration, schema.texts == schemaTexts {
            compiler.loadedSchema = schema.loaded
        }
        let compilation = compiler.load(found.inputs, found.files)
        known = compiler.knownTexts ?? KnownTexts()
        schema = compiler.loadedSchema.map {
            KeptSchema(configuration: configuration, texts: schemaTexts, loaded: $0)
        }
        compiler.judgeDefinitions(compilation, of: found.inputs)
        index.update(compilation.documents, workingDirectory: compiler.workingDirectory)
        let view = ProjectView(
            configuration: found.configuration, files: found.files, compiler: compiler, compilation: compilation,
            index: index)
        return Judgement(view: view, diagnostics: Self.kept(compiler), rest: Rest(view))
    }

    fileprivate static func kept(_ compiler: Compiler) -> [KeptDiagnostic] {
        compiler.diagnostics.map { KeptDiagnostic($0, in: compiler) }
    }

    // MARK: - Files

    /// Searches the disk for the files of the project, and reads those that changed. Returns a judgement if the
    /// configuration cannot be read, and nil otherwise.
    private mutating func findFiles() -> Judgement? {
        var compiler = Compiler(workingDirectory: workingDirectory, overrides: overrides)
        guard let configuration = compiler.readConfiguration(configurationPath) else {
            found = nil
            return Judgement(view: ProjectView(compiler), diagnostics: Self.kept(compiler), rest: nil)
        }
        let inputs = ProjectInputs(configuration)
        let files = compiler.find(inputs)
        found = Found(compiler: compiler, configuration: configuration, inputs: inputs, files: files)
        let before = texts
        let lastTime = time
        time = FileStamp.now()
        texts = [:]
        for path in files.schema + files.schemaExtensions + files.documents {
            guard let stamp = FileStamp(of: path) else { continue }
            if let text = before[path], text.stamp == stamp, !stamp.isRecent(at: lastTime) {
                texts[path] = text
            } else if let read = try? InputFile.readText(path) {
                // Each judgement compares the bytes with those that it knows. Arrays with one storage are equal at
                // once.
                let bytes = before[path].flatMap { $0.bytes == read ? $0.bytes : nil } ?? read
                texts[path] = FileText(stamp: stamp, bytes: bytes)
            }
        }
        bytes = texts.mapValues(\.bytes)
        return nil
    }
}
