/// The files of a project that a run reads, each in the order of its paths.
package struct ProjectFiles: Hashable, Sendable {
    package var schema: [AbsolutePath] = []
    package var schemaExtensions: [AbsolutePath] = []
    package var documents: [AbsolutePath] = []
    /// The documents that are links themselves.
    package var links: Set<AbsolutePath> = []
    /// The files to which links lead, if they are not in the lists themselves.
    package var targets: Set<AbsolutePath> = []
    /// The folders in which files were looked for, and those with the files that links lead to.
    package var folders: Set<AbsolutePath> = []
    /// Whether every entry of the schema and of its extensions names files.
    package var isSchemaFound = false
    /// Whether the search for documents reported nothing.
    package var areDocumentsFound = false

    package init() {}
}
