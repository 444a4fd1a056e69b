import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import Testing

struct SpellingBudgetTests {
    /// 1,200 unknown spreads among 1,200 fragments of similar names would be more comparisons than the budget has.
    @Test func someOfThousandsOfMisspelledNamesGetSuggestions() {
        let count = 1_200
        let spreads = (0..<count).map { "...Fragment\($0)x" }.joined(separator: " ")
        let fragments = (0..<count).map { "fragment Fragment\($0) on Query { a }" }.joined(separator: "\n")
        let found = Self.validate("query Q { \(spreads) }\n" + fragments, workers: .one)
        let unknown = found.filter { $0.id == .unknownFragment }
        #expect(unknown.count == count)
        #expect(unknown.first?.suggestion?.hasPrefix("did you mean 'Fragment0'") == true)
        #expect(unknown.last?.suggestion == nil)
        #expect(found == Self.validate("query Q { \(spreads) }\n" + fragments, workers: Workers(count: 3)))
    }

    private static func validate(_ text: String, workers: Workers) -> [Diagnostic] {
        var sources = SourceSet()
        let schema = Parser.parseDocument(sources.add(path: "schema.graphql", text: "type Query { a: Int }")).document
        let document = Parser.parseDocument(sources.add(path: "document.graphql", text: text)).document
        return Validator.validate([document], SchemaBuilder.build([schema]).schema, workers: workers)
    }
}
