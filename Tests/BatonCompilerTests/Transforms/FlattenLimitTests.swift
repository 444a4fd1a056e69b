import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonTransforms
import Testing

/// Documents that grow without limit when their fragments are followed.
@Suite struct FlattenLimitTests {
    private func compile(_ text: String) -> Compiler.Result {
        var compiler = Compiler()
        let schema = compiler.addSource(
            path: "schema.graphql",
            text: "type Query { thing: Thing } type Thing { a: Thing b: Thing name: String }"
        )
        let loaded = compiler.loadSchema([schema])
        let document = compiler.addSource(path: "documents.graphql", text: text)
        return compiler.compile(schema: loaded.schema, documents: [document])
    }

    @Test func aChainOfFragmentsThatNestIsReported() {
        var text = "query Q { thing { ...F0 } }\n"
        for index in 0..<300 { text += "fragment F\(index) on Thing { a { ...F\(index + 1) } }\n" }
        text += "fragment F300 on Thing { name }\n"
        let result = compile(text)
        #expect(result.files.isEmpty)
        #expect(result.diagnostics.map(\.id) == [.selectionDepth])
    }

    @Test func fragmentsThatDoubleAreReported() {
        var text = "query Q { thing { ...F0 } }\n"
        for index in 0..<40 {
            text += "fragment F\(index) on Thing { a { ...F\(index + 1) } b { ...F\(index + 1) } }\n"
        }
        text += "fragment F40 on Thing { name }\n"
        let result = compile(text)
        #expect(result.files.isEmpty)
        #expect(result.diagnostics.contains { $0.id == .selectionSize })
    }

    @Test func aLongChainAtOneLevelIsFlat() {
        var text = "query Q { thing { ...F0 ...F0 } }\n"
        for index in 0..<2_000 { text += "fragment F\(index) on Thing { ...F\(index + 1) ...F\(index + 1) }\n" }
        text += "fragment F2000 on Thing { name }\n"
        let result = compile(text)
        #expect(result.diagnostics.isEmpty)
        #expect(result.files.count == 2_002)
        let query = result.files.first { $0.name == "QQuery.graphql.swift" || $0.name == "Q.graphql.swift" }
        #expect(query?.text.contains(#"normalization: "{thing:Thing{name:String}}""#) == true)
    }
}
