import BatonDiagnostics
import BatonSchema
import BatonSyntax
import Testing

@testable import BatonValidation

@Suite struct MergingLimitTests {
    /// Each fragment selects the next one below two fields of equal name, so that ever more sets are compared.
    @Test func fragmentsTooEntangledToCompareAreReportedOnce() {
        var text = "query Q { a { ...F0 } }\n"
        for index in 0..<20 { text += "fragment F\(index) on A { a { ...F\(index + 1) } a { ...F\(index + 1) } }\n" }
        text += "fragment F20 on A { b }"
        let (schema, _) = SchemaBuilder.build([Self.parse("type Query { a: A } type A { a: A b: Int }")])
        let document = Self.parse(text)
        #expect(Validator.validate([document], schema) == [])
        let traversal = Traversal(schema: schema)
        traversal.collect([document])
        traversal.visitDefinitions(.one)
        traversal.checkFragmentsUsed()
        let diagnostics = FieldSelectionMerging.check(traversal.program, schema, budget: -100 * 43)
        #expect(diagnostics.map(\.id) == [.mergingLimit])
        #expect(diagnostics.first?.message == "the fragments are too entangled to compare all fields")
        #expect(diagnostics.first?.span.range == 6..<7)
    }

    private static func parse(_ text: String) -> Document {
        var sources = SourceSet()
        return Parser.parseDocument(sources.add(path: "a.graphql", text: text)).document
    }
}
