import BatonDiagnostics
import BatonSchema
import BatonSyntax
import Testing

@testable import BatonValidation

/// Texts that no person writes cost bounded time and memory, and end in a diagnostic about the limit.
@Suite struct ValidationLimitTests {
    /// Each fragment selects the next one below two fields of equal name, so that ever more sets are compared.
    @Test func fragmentsTooEntangledToCompareAreReportedOnce() {
        var text = "query Q { a { ...F0 } }\n"
        for index in 0..<20 { text += "fragment F\(index) on A { a { ...F\(index + 1) } a { ...F\(index + 1) } }\n" }
        text += "fragment F20 on A { b }"
        let schema = Self.schema("type Query { a: A } type A { a: A b: Int }")
        #expect(Validator.validate([Self.parse(text)], schema) == [])
        let diagnostics = Self.merge(text, schema, budget: 0)
        #expect(diagnostics.map(\.id) == [.mergingLimit])
        #expect(diagnostics.first?.message == "the fragments are too entangled to compare all fields")
        #expect(diagnostics.first?.span.range == 6..<7)
    }

    /// All fields of the interface are compared with those of each object again, in sets that exceed the budget.
    @Test func setsThatTheBudgetCannotPayForAreNotKept() {
        var types = "type Query { n: N } interface N { n: N }"
        var text = "query Q { n { " + String(repeating: "n { __typename } ", count: 200)
        for index in 0..<50 {
            types += " type T\(index) implements N { n: N }"
            text += "... on T\(index) { n { __typename } } "
        }
        let schema = Self.schema(types)
        #expect(Self.merge(text + "} }", schema, budget: 100_000) == [])
        #expect(Self.merge(text + "} }", schema, budget: 2_000).map(\.id) == [.mergingLimit])
    }

    @Test func operationsThatReachTooManyFragmentsAreReportedOnce() {
        let text = """
            query A($v: Int) { ...F }
            query B($v: Int) { ...F }
            query C($v: Int) { ...F }
            fragment F on Query { a(x: $v) }
            """
        let schema = Self.schema("type Query { a(x: Int): Int }")
        #expect(Validator.validate([Self.parse(text)], schema) == [])
        let traversal = Self.visit(text, schema)
        traversal.stepsLeft = 3
        traversal.followVariables()
        traversal.followVariables()
        #expect(traversal.diagnostics.map(\.id) == [.fragmentLimit])
        #expect(traversal.diagnostics.first?.message == "the operations reach too many fragments to follow them all")
        #expect(traversal.diagnostics.first?.span.range == 32..<33)
    }

    /// Every fragment of a chain leads back to the first.
    @Test func cyclesInsideEachOtherAreReportedAtTheSpreadsThatCloseThem() {
        let count = 300
        var text = "query Q { ...F0 }\n"
        for index in 0..<count { text += "fragment F\(index) on Query { ...F\(index + 1) ...F0 }\n" }
        text += "fragment F\(count) on Query { a }"
        let diagnostics = Validator.validate([Self.parse(text)], Self.schema("type Query { a: Int }"))
        #expect(diagnostics.allSatisfy { $0.id == .fragmentCycle })
        #expect(diagnostics.count == count)
        #expect(diagnostics.first?.message == "fragment 'F0' spreads itself")
        #expect(diagnostics.last?.message == "fragment 'F0' spreads itself through 'F1', 'F2', 'F3', 'F4', 'F5'")
        #expect(diagnostics.last?.notes.count == 5)
    }

    // MARK: - Texts

    private static func schema(_ text: String) -> Schema { SchemaBuilder.build([parse(text)]).schema }

    private static func parse(_ text: String) -> Document {
        var sources = SourceSet()
        return Parser.parseDocument(sources.add(path: "a.graphql", text: text)).document
    }

    private static func visit(_ text: String, _ schema: Schema) -> Traversal {
        let traversal = Traversal(schema: schema)
        traversal.collect([parse(text)])
        traversal.visitDefinitions(.one)
        traversal.findReachedFragments()
        return traversal
    }

    /// Compares fields with a budget that does not grow with their number.
    private static func merge(_ text: String, _ schema: Schema, budget: Int) -> [Diagnostic] {
        let definitions = visit(text, schema).definitions
        return FieldSelectionMerging.check(
            definitions, schema, budget: budget - 100 * definitions.selections.entries.count)
    }
}
