import BatonDiagnostics
import BatonSyntax
import Foundation

/// A public schema with its documents, from a folder beside the package.
package struct Corpus: Sendable, CustomStringConvertible {
    package let name: String
    package let folder: URL

    package var description: String { name }

    /// The corpora found in `shared/corpora` of a folder above this file; none on a machine without them.
    package static let all: [Corpus] = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let corpora = folder.appendingPathComponent("shared/corpora")
            guard
                let found = try? FileManager.default.contentsOfDirectory(
                    at: corpora,
                    includingPropertiesForKeys: nil
                )
            else { continue }
            return found.filter(\.hasDirectoryPath).sorted { $0.path < $1.path }
                .map { Corpus(name: $0.lastPathComponent, folder: $0) }
        }
        print("no shared/corpora above this package: the tests with public schemas check nothing")
        return []
    }()

    package func schemaDocument(
        into sources: inout SourceSet
    ) throws -> (document: Document, diagnostics: [Diagnostic]) {
        let bytes = Array(try Data(contentsOf: folder.appendingPathComponent("schema.graphql")))
        return Parser.parseDocument(sources.add(path: "schema.graphql", bytes: bytes))
    }

    /// Whether each document is valid, by file name.
    package func verdicts() throws -> [String: Bool] {
        let table = try String(contentsOf: folder.appendingPathComponent("expected.tsv"), encoding: .utf8)
        var verdicts: [String: Bool] = [:]
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            if columns.count >= 2 { verdicts[String(columns[0])] = columns[1] == "valid" }
        }
        return verdicts
    }

    package func documents(into sources: inout SourceSet) throws -> [SourceFile] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent("documents"),
            includingPropertiesForKeys: nil
        )
        var found: [SourceFile] = []
        for file in files.sorted(by: { $0.path < $1.path }) {
            found.append(sources.add(path: file.lastPathComponent, bytes: Array(try Data(contentsOf: file))))
        }
        return found
    }
}
