import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A project as it was when it was judged: its schema, its texts and its definitions. It is never changed.
package struct ProjectView: Sendable {
    /// Nil if the configuration cannot be read.
    package let configuration: Configuration?
    package let files: ProjectFiles
    /// The run, with all texts.
    package let compiler: Compiler
    /// Nil if the configuration cannot be read.
    package let compilation: Compilation?
    package let index: DefinitionIndex
    private let documents: Set<AbsolutePath>
    private let schemaFiles: Set<AbsolutePath>

    /// The view of a project of which nothing can be read.
    package init() {
        configuration = nil
        files = ProjectFiles()
        compiler = Compiler()
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

    /// The types of the documents; nil if there is no schema at all.
    package var schema: Schema? { compilation?.schema }

    package func hasDocuments(in path: AbsolutePath) -> Bool { documents.contains(path) }

    package func hasSchema(in path: AbsolutePath) -> Bool { schemaFiles.contains(path) }

    /// The text of a file when the project was judged.
    package func bytes(of path: AbsolutePath) -> [UInt8]? { compiler.overlays[path] }

    /// The file and the range of bytes of a place in the schema; nil for predeclared definitions.
    package func place(of span: Span) -> (path: AbsolutePath, range: Range<Int>)? {
        guard let file = compiler.sources[span.source], span.end > span.start else { return nil }
        let (start, end) = (file.originalOffset(of: Int(span.start)), file.originalOffset(of: Int(span.end)))
        return (AbsolutePath(file.path, relativeTo: compiler.workingDirectory), start..<max(start, end))
    }
}
