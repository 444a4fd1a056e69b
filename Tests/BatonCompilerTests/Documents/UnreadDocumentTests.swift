import BatonCompiler
import BatonDiagnostics
import Testing

/// Documents in calls that look like `graphql(_:)`, which the compiler does not read.
struct UnreadDocumentTests {
    /// A call, and the warning about it as `line:column message`.
    @Test(arguments: [
        ("let q = gql(\"query A { a }\")", "1:9 'gql' is not read by the compiler"),
        ("let q = gql(\"\"\"\n  query A { a }\n  \"\"\")", "1:9 'gql' is not read by the compiler"),
        ("let q = GraphQL(#\"fragment F on A { a }\"#)", "1:9 'GraphQL' is not read by the compiler"),
        ("let q = graphQL ( // marks\n \"mutation { a }\")", "1:9 'graphQL' is not read by the compiler"),
        ("let q = graphql(text: \"query A { a }\")", "1:9 'graphql(text:)' is not read by the compiler"),
        ("let q = Baton.graphql(document: \"{ a }\")", "1:15 'graphql(document:)' is not read by the compiler"),
        ("let q = gql(_: \"subscription S($a: Int) { a }\")", "1:9 'gql(_:)' is not read by the compiler"),
        ("let q = gql(\" query A { \\(a) }\", )", "1:9 'gql' is not read by the compiler"),
        ("let q = gql(\"\"\"\n  # First.\n  , query A @live { a }\n  \"\"\")", "1:9 'gql' is not read by the compiler"),
    ])
    func aDocumentInACallThatIsNotReadIsReported(_ source: String, _ expected: String) {
        let (values, diagnostics) = SwiftScannerTests.scan(source)
        #expect(values == [])
        #expect(diagnostics == [expected])
        #expect(SwiftScannerTests.scan("import Baton\n" + source).diagnostics.count == 1)
    }

    @Test(arguments: [
        "gql(\"hero\")", "gql(\"query\")", "gql(\"querying { a }\")", "gql(\"fragment of a text\")",
        "gql(\"{\\\"a\\\": 1}\")", "gql(\"\")", "gql(text)", "gql(\"query A { a }\", 1)",
        "gql(a: 1, b: \"query A { a }\")",
        "graphql(schema: schema, request: \"query A { a }\")", "api.gql(\"query A { a }\")",
        "api.graphql(\"query A { a }\")", "let gql = \"query A { a }\"", "// gql(\"query A { a }\")",
        "run(\"query A { a }\")", "func gql(_ text: String) {}\ngql(\"query A { a }\")",
        "let a = 1 // GraphQL: \"\nlet b = \"", "gql(\"query A { a }\" + more)",
    ])
    func whatIsNoDocumentOrAnotherFunctionIsNoMistake(_ source: String) {
        #expect(SwiftScannerTests.scan(source).diagnostics == [])
    }
}
