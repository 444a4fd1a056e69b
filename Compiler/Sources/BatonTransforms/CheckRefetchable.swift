import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Checks what stands beside and below `@refetchable`.
///
/// - The query has a name that no fragment has.
/// - The fragment does not say whether it is plural: the query fetches one object.
/// - The fragment has at most one connection, which is below no list: the query fetches one page of it.
/// - The arguments of the connection that choose a page are variables, which the query can give other values.
///
/// `GenerateRefetchQueries` finds out whether a query leads to the object.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#refetchable
struct CheckRefetchable {
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckRefetchable()
        for fragment in program.fragments {
            guard let directive = fragment.directives.named("refetchable") else { continue }
            check.visit(fragment, directive)
            guard let name = fragment.refetchQueryName, let other = program.fragment(named: name) else { continue }
            check.report(
                "the query cannot have the name of the fragment '\(name)'",
                at: directive.argument("queryName")?.span ?? directive.name.span, "the fragment is here", other.span,
                "choose another name")
        }
        return check.diagnostics
    }

    private mutating func visit(_ fragment: Fragment, _ directive: Directive) {
        if case .boolean(let isPlural)? = fragment.directives.named("relay")?.argument("plural") {
            report(
                isPlural.isTrue
                    ? "a plural fragment cannot be fetched again, because the query fetches one object"
                    : "'plural' cannot stand beside '@refetchable', whose query fetches one object",
                at: directive.name.span, "'plural' stands here", isPlural.span,
                "leave out '@relay(plural: \(isPlural.isTrue))' or '@refetchable'")
        }
        let connections = Self.connections(in: fragment.selections, isBelowList: false)
        for (connection, isBelowList) in connections {
            if let first = connections.first?.field, first.span != connection.span {
                report(
                    "a fragment with '@refetchable' has one connection, whose pages the query fetches",
                    at: connection.span, "the first is here", first.span, "put the connection in another fragment")
            } else if isBelowList {
                report(
                    "a connection in a list has no place of its own, so '@refetchable' cannot fetch its pages",
                    at: connection.span, "the fragment is here", fragment.span,
                    "put the connection in a fragment on the items")
            } else {
                visit(connection, fragment)
            }
        }
    }

    private mutating func visit(_ connection: TypedField, _ fragment: Fragment) {
        for (count, cursor) in [("first", "after"), ("last", "before")] {
            guard let size = connection.argument(count) else { continue }
            for (name, value) in [(count, size), (cursor, connection.argument(cursor))] {
                if case .variable? = value { continue }
                report(
                    "'\(name)' must be a variable, so that '@refetchable' can fetch other pages",
                    at: value?.span ?? connection.span, "the fragment is here", fragment.span,
                    "declare it with '@argumentDefinitions'")
            }
        }
    }

    /// The connections of selections, and whether a list is around each. The parser's nesting limit bounds the
    /// recursion.
    private static func connections(
        in selections: [TypedSelection], isBelowList: Bool
    ) -> [(field: TypedField, isBelowList: Bool)] {
        selections.flatMap { selection -> [(field: TypedField, isBelowList: Bool)] in
            switch selection {
            case .field(let field):
                return (field.connection == nil ? [] : [(field, isBelowList)])
                    + connections(in: field.selections, isBelowList: isBelowList || field.definition.type.isList)
            case .inlineFragment(let inline): return connections(in: inline.selections, isBelowList: isBelowList)
            case .spread: return []
            }
        }
    }

    private mutating func report(
        _ message: String, at span: Span, _ note: String, _ noted: Span, _ suggestion: String
    ) {
        diagnostics.append(
            Diagnostic(.notRefetchable, message, at: span, notes: [.init(note, at: noted)], suggestion: suggestion))
    }
}

extension TypedField {
    fileprivate func argument(_ name: String) -> Value? {
        arguments.first { $0.name.text == name }?.value
    }
}
