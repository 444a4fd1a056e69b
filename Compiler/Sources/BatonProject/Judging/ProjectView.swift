import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// The schema, the texts and the definitions of a project as they were when the project was judged.
package struct ProjectView: Sendable {
    /// Nil if the configuration cannot be read.
    package let configuration: Configuration?
    package let files: ProjectFiles
    /// The compiler that has judged the project, with the texts of all files.
    package let compiler: Compiler
    /// Nil if the configuration cannot be read.
    package let compilation: Compilation?
    package let index: DefinitionIndex
    private let documents: Set<AbsolutePath>
    private let schemaFiles: Set<AbsolutePath>

    /// Makes the view of a project whose configuration cannot be read. The compiler has reported why.
    package init(_ compiler: Compiler = Compiler()) {
        configuration = nil
        files = ProjectFiles()
        self.compiler = compiler
        compilation = nil
        index = DefinitionIndex()
        documents = []
        schemaFiles = []
    }

    init(
        configuration: Configuration, files: ProjectFiles, compiler: Compiler, compilation: Compilation,
        index: DefinitionIndex
    ) {
        self.configuration = configuration
        self.files = files
        self.compiler = compiler
        self.compilation = compilation
        self.index = index
        documents = Set(files.documents)
        schemaFiles = Set(files.schema + files.schemaExtensions)
    }

    /// The schema; nil if the configuration cannot be read.
    package var schema: Schema? { compilation?.schema }

    package func hasDocuments(in path: AbsolutePath) -> Bool { documents.contains(path) }

    package func hasSchema(in path: AbsolutePath) -> Bool { schemaFiles.contains(path) }

    /// The text that a file had when the project was judged; nil if the project did not read the file.
    package func bytes(of path: AbsolutePath) -> [UInt8]? { compiler.overlays[path] }

    /// A query that `@refetchable` makes of a fragment.
    package struct RefetchQuery: Hashable, Sendable {
        package let fragment: String
        package let query: String
        /// Whether the directive has the name. Otherwise the query is named after its fragment.
        package let isWritten: Bool
        /// The place of the name, or of the fragment's.
        package let span: Span
    }

    package var refetchQueries: [RefetchQuery] {
        (compilation?.documents ?? []).flatMap(\.document.definitions).compactMap { definition in
            guard case .fragment(let fragment) = definition,
                let query = Fragment.refetchQueryName(of: fragment.name.text, fragment.directives)
            else { return nil }
            let written = fragment.directives.first { $0.name.text == "refetchable" }?.argument("queryName")
            if case .string(let name)? = written {
                return RefetchQuery(fragment: fragment.name.text, query: query, isWritten: true, span: name.span)
            }
            return RefetchQuery(
                fragment: fragment.name.text, query: query, isWritten: false, span: fragment.name.span)
        }
    }

    /// The file and the range of bytes of a part of the schema or of a document; nil for what is predeclared.
    package func place(of span: Span) -> (path: AbsolutePath, range: Range<Int>)? {
        guard let file = compiler.sources[span.source], span.end > span.start else { return nil }
        let (start, end) = (file.originalOffset(of: Int(span.start)), file.originalOffset(of: Int(span.end)))
        return (AbsolutePath(file.path, relativeTo: compiler.workingDirectory), start..<max(start, end))
    }
}
