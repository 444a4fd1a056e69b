import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A document that is parsed and checked once, and executed many times.
final class PreparedDocument: Sendable {
    let document: Document
    let operations: [OperationDefinition]
    let fragments: [String: FragmentDefinition]
    let lines: LineTable
    /// The mistakes that prevent execution.
    let problems: [RequestProblem]
    /// For each operation, the variables that decide `@skip` and `@include` in the operation and in its fragments.
    let conditions: [[Condition]]

    struct Condition: Sendable {
        let variable: String
        let span: Span
    }

    /// The limits are low because a request is parsed on the thread that sends it. The stack of that thread may have
    /// half a megabyte.
    private static let parserLimits = ParserLimits(nesting: 80, tokens: 2_000_000)

    /// - Parameter added: The directives that the service knows although the schema does not declare them.
    init(text: String, schema: Schema, added: [String: SchemaDirective] = [:]) {
        var sources = SourceSet()
        let file = sources.add(path: "request", text: text)
        let parsed = Parser.parseDocument(file, limits: Self.parserLimits)
        document = parsed.document
        lines = LineTable(bytes: file.bytes)
        operations = document.operations
        fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        let syntaxProblems = parsed.diagnostics.filter { $0.severity == .error }.map {
            RequestProblem("Syntax Error: \($0.message)", at: [$0.span])
        }
        guard syntaxProblems.isEmpty else {
            problems = syntaxProblems
            conditions = []
            return
        }
        var checker = DocumentChecker(schema: schema, document: document, fragments: fragments, added: added)
        checker.check()
        problems = checker.problems
        conditions = checker.conditions
    }

    /// The index of the operation to execute; the name may be nil or empty if the document has one operation.
    ///
    /// Specification: https://spec.graphql.org/September2025/#GetOperation()
    func operation(named name: String?) throws(RequestProblems) -> Int {
        if let name, !name.isEmpty {
            guard let index = operations.firstIndex(where: { $0.name?.text == name }) else {
                throw RequestProblems("Unknown operation named \"\(name)\".")
            }
            return index
        }
        guard operations.count == 1 else {
            throw RequestProblems(
                operations.isEmpty
                    ? "Must provide an operation."
                    : "Must provide operation name if query contains multiple operations."
            )
        }
        return 0
    }
}
