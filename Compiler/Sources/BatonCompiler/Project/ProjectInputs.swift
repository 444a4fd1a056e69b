import BatonCodegen
import BatonSchema

/// The inputs of one run of the compiler, from a configuration or from the command line.
package struct ProjectInputs: Hashable, Sendable {
    package typealias Entry = Configuration.Entry

    /// The folder at which relative paths start.
    package var base: AbsolutePath
    package var schema: [Entry]
    package var schemaExtensions: [Entry]
    package var documents: [Entry]
    /// Files to leave out of the folders and patterns in `documents`.
    package var exclude: [Entry]
    /// The folder of artifacts, in which no documents are searched.
    package var output: AbsolutePath?
    /// The folder of builders, in which no documents are searched either; nil if there are none.
    package var builders: AbsolutePath?
    /// Whether a person chose `documents`. A pattern without matches is then reported.
    package var areDocumentsChosen = true
    /// Whether the inputs come from a configuration.
    ///
    /// A pattern without matches is an error on the command line only, because a new project may have no documents.
    package var isProject = true
    /// The layout of the texts of requests.
    package var layout = OperationTextPrinter.Layout.lines
    /// The schema's names for connections and the node interface.
    package var names = SchemaNames()
    /// The age limits, by names of queries, types and fields.
    package var ageLimits: [String: Configuration.AgeLimit] = [:]
    /// The names of what no file on disk is to have.
    package var unstored: [Entry] = []

    package init(
        base: AbsolutePath,
        schema: [Entry],
        schemaExtensions: [Entry] = [],
        documents: [Entry] = [],
        exclude: [Entry] = [],
        output: AbsolutePath? = nil
    ) {
        self.base = base
        self.schema = schema
        self.schemaExtensions = schemaExtensions
        self.documents = documents
        self.exclude = exclude
        self.output = output
    }

    package init(_ configuration: Configuration) {
        self.init(
            base: configuration.directory,
            schema: configuration.schema,
            schemaExtensions: configuration.schemaExtensions,
            documents: configuration.documents,
            exclude: configuration.exclude,
            output: configuration.ownOutputDirectory
        )
        ageLimits = configuration.maxAge
        unstored = configuration.unstored
        builders = configuration.buildersDirectory
        layout = configuration.text
        names = configuration.schemaConfig
        areDocumentsChosen = configuration.documents.map(\.text) != Configuration(directory: base).documents.map(\.text)
    }

    /// Whether a folder below that of the project is a project of its own, whose documents are no documents of this
    /// one.
    package func isSeparate(_ folder: AbsolutePath) -> Bool {
        output != nil && FileKind(at: folder.appending(Configuration.fileName)) == .file
    }

    /// Whether a file or folder is left out of the documents: it is excluded, or a part of the output.
    package var leftOut: (AbsolutePath) -> Bool {
        let globs = exclude.compactMap { try? Glob($0.text) }
        let (base, output, builders) = (base, output, builders)
        return { path in
            if let output, path.isInside(output) { return true }
            if let builders, path.isInside(builders) { return true }
            if globs.isEmpty { return false }
            return globs.contains { $0.matches(path, relativeTo: base) }
        }
    }
}
