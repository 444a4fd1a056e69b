import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import Foundation

/// A generated or real schema with documents as text, and the compiler's work on them in this process.
struct SourceText {
    let name: String
    var schema: [UInt8]
    var documents: [[UInt8]]
    /// SDL of directives that Baton predeclares, and that other validators do not know.
    var foreignDirectives: [UInt8] = []

    var documentBytes: Int { documents.reduce(0) { $0 + $1.count } }

    /// The same text with the first documents only.
    func prefix(_ count: Int) -> SourceText {
        var result = self
        result.documents = Array(documents.prefix(count))
        return result
    }

    // MARK: - Where it comes from

    static func generated(types: Int, operations: Int) -> SourceText {
        SourceText(
            name: "generated",
            schema: Array(CompilerWorkload.schema(types: types).utf8),
            documents: CompilerWorkload.documents(operations: operations, types: types).map { Array($0.utf8) }
        )
    }

    /// Reads a folder with `schema.graphql` and `documents/*.graphql`.
    static func corpus(at folder: URL) throws -> SourceText {
        func read(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
        let documents = folder.appendingPathComponent("documents")
        let names = try FileManager.default.contentsOfDirectory(atPath: documents.path).sorted()
        let directives = folder.appendingPathComponent("relay-directives.graphql")
        return SourceText(
            name: folder.lastPathComponent,
            schema: try read(folder.appendingPathComponent("schema.graphql")),
            documents: try names.filter { $0.hasSuffix(".graphql") }.map { name in
                try read(documents.appendingPathComponent(name))
            },
            foreignDirectives: FileManager.default.fileExists(atPath: directives.path) ? try read(directives) : []
        )
    }

    /// The folders with real schemas and documents, sorted by name; empty if there are none.
    static func corpora(_ options: Options) -> [URL] {
        let folder =
            options.corpora.map { URL(fileURLWithPath: $0) }
            ?? Package.root.deletingLastPathComponent().appendingPathComponent("shared/corpora")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }.filter {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("schema.graphql").path)
        }
    }

    // MARK: - What is measured

    /// Parses and builds the schema.
    func loadSchema() -> Schema {
        var compiler = Compiler()
        return compiler.loadSchema([compiler.addSource(path: "schema.graphql", bytes: schema)]).schema
    }

    /// Parses and validates the documents as one program; returns the number of errors.
    func validate(_ schema: Schema, _ workers: Workers = .all) -> Int {
        var compiler = Compiler(workers: workers)
        let files = documents.enumerated().map { index, bytes in
            compiler.addSource(path: "\(index).graphql", bytes: bytes)
        }
        let (parsed, found) = compiler.parse(files)
        let compilation = compiler.compilation(schema: schema, documents: parsed)
        return (found + compilation.validate()).filter { $0.severity == .error }.count
    }
}

/// The folder of the package that this program was built from.
enum Package {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
