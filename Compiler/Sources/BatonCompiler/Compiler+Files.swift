import BatonDiagnostics
import BatonSyntax

/// The reading of a project's files.
extension Compiler {
    /// Reads a configuration file. Reports an error in the file, and returns nil.
    package mutating func readConfiguration(_ path: AbsolutePath) -> Configuration? {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.readText(path)
        } catch {
            report([
                Diagnostic(
                    .configurationFile,
                    "the configuration '\(displayed(path))' \(error.reason)",
                    at: .none
                )
            ])
            return nil
        }
        let file = addSource(path: displayed(path), bytes: bytes)
        var (configuration, found) = Configuration.read(file, directory: path.parent)
        configuration.artifactFolder = overrides.artifactFolder
        report(found)
        levels = configuration.warnings.overridden(by: overrides.warnings)
        limits = overrides.limits(over: configuration.limits)
        return found.hasErrors ? nil : configuration
    }

    /// Reads schema and documents and reports all mistakes in them. The result exists even if both are broken.
    package mutating func load(_ inputs: ProjectInputs) -> Compilation { load(inputs, find(inputs)) }

    /// Finds the files of a project. Each file is found once, even if several paths and links lead to it.
    package mutating func find(_ inputs: ProjectInputs) -> ProjectFiles {
        var files = ProjectFiles()
        var known: Set<AbsolutePath> = []
        let before = collected.count
        var folders: Set<AbsolutePath> = []
        let finder = FileFinder(
            base: inputs.base, extensions: FileUse.schema.extensions, identities: FileIdentities(),
            searched: { folders.insert($0) })
        let schemaFiles = find(inputs.schema, with: finder, as: .schema, emptiness: .isWithoutSchema)
        files.schema = Self.distinct(schemaFiles, finder, &known)
        let extensions = find(
            inputs.schemaExtensions, with: finder, as: .schema, emptiness: inputs.isProject ? .isOdd : .isAMistake)
        files.schemaExtensions = Self.distinct(extensions, finder, &known)
        files.isSchemaFound = !collected[before...].hasErrors && !files.schema.isEmpty
        let leftOut = inputs.leftOut
        let schema = known
        let identities = FileIdentities()
        let documentFinder = FileFinder(
            base: inputs.base, extensions: FileUse.documents.extensions, identities: identities,
            isExcluded: { schema.contains(identities.identity(of: $0)) || leftOut($0) }, isForeign: inputs.isSeparate,
            searched: { folders.insert($0) })
        let beforeDocuments = collected.count
        files.documents = find(
            inputs.documents, with: documentFinder, as: .documents,
            emptiness: !inputs.isProject ? .isAMistake : inputs.areDocumentsChosen ? .isOdd : .isFine)
        files.areDocumentsFound = collected.count == beforeDocuments
        known = []
        if !identities.arePlain { files.documents = Self.distinct(files.documents, documentFinder, &known) }
        files.targets = known.union(schema).subtracting(files.schema + files.schemaExtensions)
        if !known.isEmpty { files.targets.subtract(files.documents) }
        files.links = identities.links.filter(FileKind.isLink)
        files.folders = folders.union(files.targets.map(\.parent)).union(identities.folderIdentities)
        return files
    }

    /// The files without those to which an earlier path leads as well. `known` are the identities of earlier files.
    private static func distinct(
        _ files: [AbsolutePath], _ finder: FileFinder, _ known: inout Set<AbsolutePath>
    ) -> [AbsolutePath] {
        files.filter { known.insert(finder.identities.identity(of: $0)).inserted }
    }

    /// A schema that was read, with its texts.
    package struct LoadedSchema: Sendable {
        let server: [SourceFile]
        let extensions: [SourceFile]
        package let result: SchemaResult
    }

    /// Reads the schema of a project, and keeps it in `loadedSchema`. If that is set already, its files are as they
    /// were, and nothing is read; it must be that of a run with the same configuration.
    package mutating func loadSchema(_ files: ProjectFiles, _ inputs: ProjectInputs) -> SchemaResult {
        if let known = knownSchema() { return known }
        let texts = readSchema(files)
        return keep(build(texts, inputs), of: texts)
    }

    /// The texts of a schema that was not read before.
    private struct SchemaTexts: Sendable {
        let server: [SourceFile]
        let extensions: [SourceFile]
        /// Whether all files were found and read.
        let isComplete: Bool
    }

    /// The schema in `loadedSchema`; nil if there is none.
    private mutating func knownSchema() -> SchemaResult? {
        guard let known = loadedSchema else { return nil }
        let texts = (known.server + known.extensions).map { ($0, addSource(path: $0.path, bytes: $0.bytes)) }
        // Places in the schema name its texts.
        guard texts.allSatisfy({ $0.id == $1.id }) else { return nil }
        report(known.result.diagnostics)
        schemaSources = Set(known.server.map(\.id))
        return known.result
    }

    private mutating func readSchema(_ files: ProjectFiles) -> SchemaTexts {
        let before = collected.count
        let (server, extensions) = (read(files.schema), read(files.schemaExtensions))
        return SchemaTexts(
            server: server, extensions: extensions,
            isComplete: files.isSchemaFound && !collected[before...].hasErrors)
    }

    private func build(_ texts: SchemaTexts, _ inputs: ProjectInputs) -> SchemaResult {
        loadSchema(texts.server, extensions: texts.extensions, names: inputs.names, levels: levels)
    }

    /// Reports what is wrong with a schema, and keeps it if it is usable.
    private mutating func keep(_ built: SchemaResult, of texts: SchemaTexts) -> SchemaResult {
        var result = built
        // Without schema files, the missing query type is not worth a second error.
        if !texts.server.isEmpty { report(result.diagnostics) }
        result.isUsable = texts.isComplete && result.isUsable
        schemaSources = Set(texts.server.map(\.id))
        loadedSchema =
            result.isUsable ? LoadedSchema(server: texts.server, extensions: texts.extensions, result: result) : nil
        return result
    }

    /// Reads the files that were found, and reports all mistakes in them. The result exists even if they are broken.
    package mutating func load(_ inputs: ProjectInputs, _ files: ProjectFiles) -> Compilation {
        let known = knownSchema()
        let texts = known == nil ? readSchema(files) : SchemaTexts(server: [], extensions: [], isComplete: false)
        let beforeDocuments = collected.count
        let documentFiles = read(files.documents)
        var isWithoutMistake = files.areDocumentsFound && collected.count == beforeDocuments
        // Neither needs anything of the other. A large schema takes longer than 5,000 documents.
        let start = self
        let (built, parsed) = workers.both {
            known ?? start.build(texts, inputs)
        } and: {
            var parser = start
            let (documents, found) = parser.parse(documentFiles)
            return (documents: documents, found: found, sources: parser.sources, known: parser.knownTexts)
        }
        let result = known == nil ? keep(built, of: texts) : built
        (sources, knownTexts) = (parsed.sources, parsed.known)
        let (documents, found) = (parsed.documents, parsed.found)
        report(found)
        isWithoutMistake = isWithoutMistake && found.isEmpty
        if !documents.isEmpty { serverSources = schemaSources }
        if documents.isEmpty, !inputs.documents.isEmpty, isWithoutMistake {
            report([
                Diagnostic(
                    .patternUnmatched,
                    severity: .warning,
                    "there is no operation and no fragment in the documents",
                    at: .none,
                    suggestion: "write one in a .graphql file, or in a Swift file as graphql(\"query ...\")"
                )
            ])
        }
        var compilation = compilation(schema: result.schema, documents: documents)
        compilation.isSchemaUsable = result.isUsable
        compilation.isProject = inputs.isProject
        compilation.layout = inputs.layout
        return compilation
    }

    private func text(_ path: AbsolutePath) throws(InputFile.Failure) -> [UInt8] {
        if let overlay = overlays[path] { return overlay }
        return try InputFile.readText(path)
    }

    /// Reads files, and reports those that cannot be read. The overlay of a file counts as its bytes.
    package mutating func read(_ paths: [AbsolutePath]) -> [SourceFile] {
        var files: [SourceFile] = []
        for path in paths {
            do throws(InputFile.Failure) {
                let bytes = try text(path)
                files.append(addSource(path: displayed(path), bytes: bytes))
            } catch {
                let file = addSource(path: displayed(path), bytes: [])
                report([Diagnostic(.fileUnreadable, "'\(displayed(path))' \(error.reason)", at: file.span)])
            }
        }
        return files
    }
}
