import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import FixtureSupport
import Foundation
import Testing

/// The public schemas beside the package, if there are any.
@Suite struct CorpusTextTests {
    private static let names = ["linear", "saleor-dashboard", "shopify-storefront"]

    @Test(.enabled(if: !Corpus.all.isEmpty, "no shared/corpora above this package"), arguments: names)
    func everyNetworkTextIsValid(_ name: String) throws {
        let corpus = try #require(Corpus.all.first { $0.name == name }).folder
        var compiler = Compiler()
        let schemaText = try Data(contentsOf: corpus.appendingPathComponent("schema.graphql"))
        let schema = compiler.loadSchema([compiler.addSource(path: "schema.graphql", bytes: Array(schemaText))]).schema
        let table = try String(contentsOf: corpus.appendingPathComponent("expected.tsv"), encoding: .utf8)
        var files: [String] = []
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            if columns.count > 1, columns[1] == "valid" { files.append(String(columns[0])) }
        }
        let sources = try files.map { file in
            let path = corpus.appendingPathComponent("documents").appendingPathComponent(file)
            return compiler.addSource(path: file, bytes: Array(try Data(contentsOf: path)))
        }
        let documents = compiler.parse(sources).documents
        let compilation = compiler.compilation(schema: schema, documents: documents)
        try NetworkText.checkAll(of: compilation, name)
    }
}
