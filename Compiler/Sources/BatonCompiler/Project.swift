import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import Foundation

/// The files of one run: configuration, schema and documents, read and parsed.
///
/// A project is made even where something is wrong; `failure` says how bad it is, and diagnostics say what.
package struct Project: Sendable {
    /// How a run ends, by what is wrong.
    package enum Failure: Int32, Sendable, Comparable {
        /// The schema or the documents have errors.
        case input = 1
        /// The command line or the configuration is wrong.
        case configuration = 2

        package static func < (left: Failure, right: Failure) -> Bool { left.rawValue < right.rawValue }
    }

    package private(set) var sources = SourceSet()
    package private(set) var diagnostics: [Diagnostic] = []
    package private(set) var configuration = Configuration()
    /// The folder to which the configuration's paths are relative; absolute.
    package private(set) var folder: String
    package private(set) var compilation: Compilation?
    private var isConfigurationBroken = false
    private let currentFolder: String

    private init(currentFolder: String, folder: String) {
        self.currentFolder = currentFolder
        self.folder = folder
    }

    package var failure: Failure? {
        if isConfigurationBroken { return .configuration }
        return diagnostics.hasErrors ? .input : nil
    }

    /// The folder for generated files; absolute.
    package var output: String { FilePath.join(folder, configuration.output) }

    // MARK: - Loading

    /// Reads a configuration file and all that it names. Paths in diagnostics are relative to the current folder.
    package static func load(configuration path: String, currentFolder: String) -> Project {
        let absolute = FilePath.join(currentFolder, path)
        var project = Project(currentFolder: currentFolder, folder: FilePath.folder(absolute))
        guard let data = FileManager.default.contents(atPath: absolute) else {
            project.fail(.fileNotFound, "there is no configuration file '\(path)'", suggestion: "run 'baton init'")
            return project
        }
        let source = project.sources.add(path: project.shown(absolute), bytes: Array(data))
        let parsed = Configuration.parse(source)
        project.configuration = parsed.configuration
        project.diagnostics += parsed.diagnostics
        if parsed.diagnostics.hasErrors { project.isConfigurationBroken = true }
        project.loadInput()
        project.checkScalars()
        return project
    }

    /// Takes what a command line says in place of a configuration; documents may be none.
    package static func load(
        schema: [String],
        schemaExtensions: [String],
        documents: [String],
        currentFolder: String
    ) -> Project {
        var project = Project(currentFolder: currentFolder, folder: currentFolder)
        project.configuration.schema = schema
        project.configuration.schemaExtensions = schemaExtensions
        project.configuration.documents = documents
        project.loadInput()
        return project
    }

    private func shown(_ absolute: String) -> String {
        let relative = FilePath.relative(absolute, to: currentFolder)
        return relative.hasPrefix("../../..") ? absolute : relative
    }

    private mutating func fail(_ id: DiagnosticID, _ message: String, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(id, message, at: .none, suggestion: suggestion))
        isConfigurationBroken = true
    }

    private mutating func loadInput() {
        let everywhere = FileFinder(folder: folder)
        let schemaFiles = find(configuration.schema, everywhere, [".graphql", ".graphqls", ".json"], "schema")
        let extensionFiles = find(
            configuration.schemaExtensions,
            everywhere,
            [".graphql", ".graphqls"],
            "schemaExtensions"
        )
        let finder = FileFinder(
            folder: folder,
            excluding: configuration.exclude,
            paths: schemaFiles + extensionFiles + [output]
        )
        let documentFiles = find(configuration.documents, finder, [".graphql", ".swift"], "documents")

        let schemaDocuments = parse(schemaFiles)
        let extensionDocuments = parse(extensionFiles)
        let built = SchemaBuilder.build(schemaDocuments, extensions: extensionDocuments)
        let isSchemaBroken = diagnostics.hasErrors || built.diagnostics.hasErrors
        // Without a schema, everything in it would be missing.
        if !schemaFiles.isEmpty { diagnostics += built.diagnostics }

        var loader = DocumentLoader()
        for file in documentFiles {
            guard let bytes = read(file) else { continue }
            loader.load(bytes, path: shown(file), into: &sources)
        }
        diagnostics += loader.diagnostics
        let currentFolder = currentFolder
        let folder = folder
        let compilation = Compilation(schema: built.schema, documents: loader.documents, sources: sources) { path in
            FilePath.relative(FilePath.join(currentFolder, path), to: folder)
        }
        self.compilation = compilation
        // What a broken schema lacks would be reported once for each use.
        if !isSchemaBroken, !schemaFiles.isEmpty { diagnostics += compilation.validate() }
    }

    private mutating func find(_ patterns: [String], _ finder: FileFinder, _ endings: [String], _ key: String)
        -> [String]
    {
        var missing: [String] = []
        let files = finder.files(patterns, endings: endings, missing: &missing)
        for path in missing { fail(.fileNotFound, "there is no file or folder '\(path)', named by '\(key)'") }
        if key == "schema", files.isEmpty, missing.isEmpty { fail(.fileNotFound, "no file matches '\(key)'") }
        return files
    }

    private mutating func read(_ path: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path) else {
            fail(.fileNotReadable, "the file '\(shown(path))' cannot be read")
            return nil
        }
        return Array(data)
    }

    private mutating func parse(_ files: [String]) -> [Document] {
        files.compactMap { file in
            guard let bytes = read(file) else { return nil }
            let parsed = Parser.parseDocument(sources.add(path: shown(file), bytes: bytes))
            diagnostics += parsed.diagnostics
            return parsed.document
        }
    }

    /// A mapping for a scalar that the schema does not have is a mistake in the configuration.
    private mutating func checkScalars() {
        guard let schema = compilation?.schema, !diagnostics.hasErrors else { return }
        let scalars = schema.types.filter { $0.kind == .scalar && ScalarMapping.builtIn[$0.name] == nil }
        for name in configuration.scalars.keys.sorted() where !scalars.contains(where: { $0.name == name }) {
            diagnostics.append(
                Diagnostic(
                    .unknownScalar,
                    "the schema has no custom scalar '\(name)'",
                    at: configuration.scalarSpans[name] ?? .none,
                    suggestion: Spelling.question(for: name, among: scalars.map(\.name))
                )
            )
            isConfigurationBroken = true
        }
    }

    // MARK: - Compiling

    /// The files as they should be; none if anything is wrong. Warnings of code generation join the diagnostics.
    package mutating func generate() -> [GeneratedFile] {
        guard failure == nil, let compilation else { return [] }
        let generated = compilation.generate(configuration.generationOptions)
        diagnostics += generated.diagnostics
        return failure == nil ? generated.files : []
    }
}
