import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let edgeFragments = DocumentCheck(
        .mistake, "CheckEdgeFragments", [.invalidConnection], .written { CheckEdgeFragments.check($0.program) })
}

/// Checks connections with prefetchable pagination. `GenerateEdgeFragments` turns the edges of such a connection into a
/// fragment.
///
/// - The connection selects its edges without a condition.
/// - No other fragment has the name of the new one, so that a definition has at most one such connection.
///
/// Reference: https://relay.dev/docs/api-reference/use-prefetchable-forward-pagination-fragment
struct CheckEdgeFragments {
    private let schema: Schema
    private var names: Set<String>
    private var diagnostics: [Diagnostic] = []

    fileprivate static func check(_ program: Program) -> [Diagnostic] {
        guard program.hasPrefetchableConnections else { return [] }
        var check = CheckEdgeFragments(program)
        for operation in program.operations { check.visit(operation.selections, in: operation.name) }
        for fragment in program.fragments { check.visit(fragment.selections, in: fragment.name) }
        return check.diagnostics
    }

    private init(_ program: Program) {
        schema = program.schema
        names = Set(program.fragments.map(\.name))
    }

    /// Visits inner connections first. The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: [TypedSelection], in definition: String) {
        for selection in selections {
            switch selection {
            case .field(let field):
                visit(field.selections, in: definition)
                if let directive = field.connection, directive.isPrefetchable {
                    visit(field, directive, in: definition)
                }
            case .inlineFragment(let inline): visit(inline.selections, in: definition)
            case .spread: break
            }
        }
    }

    private mutating func visit(_ connection: TypedField, _ directive: Directive, in definition: String) {
        let edges = schema.names.edges
        guard connection.indexOfEdges(named: edges) != nil else {
            return report(
                "a connection that is fetched ahead selects '\(edges)' without a condition", at: connection.span, nil)
        }
        let fragment = GenerateEdgeFragments.name(in: definition)
        if names.insert(fragment).inserted { return }
        report(
            "the edges of this connection are the fragment '\(fragment)', and there is another one",
            at: directive.name.span, "a definition has one connection that is fetched ahead")
    }

    private mutating func report(_ message: String, at span: Span, _ suggestion: String?) {
        diagnostics.append(Diagnostic(.invalidConnection, message, at: span, suggestion: suggestion))
    }
}
