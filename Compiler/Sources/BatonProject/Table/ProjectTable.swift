import BatonCompiler

/// What a successful run leaves behind: the state of every file that it read or wrote, and what it derived from them.
///
/// The table has no syntax. It is a value; `ProjectCache` keeps it on disk.
package struct ProjectTable: Hashable, Sendable {
    /// A file that was read.
    package struct Input: Hashable, Sendable {
        package var path: AbsolutePath
        package var stamp: FileStamp
        package var hash: UInt64
    }

    /// A file with documents.
    package struct DocumentFile: Hashable, Sendable {
        package var input: Input
        package var definitions: [DefinitionRecord] = []
        /// The warnings whose place is in the file.
        package var warnings: [KeptDiagnostic] = []
    }

    /// A file that was generated.
    package struct Artifact: Hashable, Sendable {
        package var name: String
        package var stamp: FileStamp
        package var hash: UInt64
    }

    /// The hash of the program, the choices of the command line and the configuration.
    package var key: UInt64
    /// The time at which the stamps of the inputs were taken.
    package var time: Int64 = 0
    /// The time before which the artifacts must have been written last, so that their stamps can be trusted: the
    /// beginning of the round that has compared or written them.
    package var artifactTime: Int64 = 0
    package var schema: [Input] = []
    package var schemaExtensions: [Input] = []
    package var documents: [DocumentFile] = []
    /// The artifacts, sorted by name.
    package var artifacts: [Artifact] = []
    /// The file of the texts that have ids.
    package var persisted: Input?
    /// The warnings that are in no file with documents.
    package var warnings: [KeptDiagnostic] = []
    /// Whether there is a text with documents.
    package var hasDocuments = true
    /// Whether a part of the project can be compiled alone.
    package var isDivisible = true

    package init(key: UInt64) {
        self.key = key
    }

    /// The files with fragments that stand in the places of spreads.
    var filesOfUnmasked: Set<AbsolutePath> {
        let names = Set(documents.flatMap { $0.definitions.flatMap(\.unmasked) })
        if names.isEmpty { return [] }
        return Set(
            documents.filter { $0.definitions.contains { $0.isFragment && names.contains($0.name) } }.map(\.input.path))
    }
}
