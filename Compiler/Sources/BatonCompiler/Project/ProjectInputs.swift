/// What one run of the compiler reads, from a configuration or from a command line.
package struct ProjectInputs: Hashable, Sendable {
    package typealias Entry = Configuration.Entry

    /// The folder that paths count from.
    package var base: AbsolutePath
    package var schema: [Entry]
    package var schemaExtensions: [Entry]
    package var documents: [Entry]
    /// What is left out of folders and patterns of documents, besides the schema.
    package var exclude: [Entry]
    /// Where artifacts are, which are no documents.
    package var output: AbsolutePath?
    /// Whether somebody chose the documents, so that a pattern that finds nothing is worth a word.
    package var areDocumentsChosen = true
    /// Whether a configuration says so, not a command line. There a pattern that finds nothing is a mistake; a project
    /// may well have no documents yet.
    package var isProject = true
    /// How old data may become, by names that are to be found in the schema and the documents.
    package var ageLimits: [String: Configuration.AgeLimit] = [:]

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
            output: configuration.outputDirectory
        )
        ageLimits = configuration.maxAge
        areDocumentsChosen = configuration.documents.map(\.text) != Configuration(directory: base).documents.map(\.text)
    }
}
