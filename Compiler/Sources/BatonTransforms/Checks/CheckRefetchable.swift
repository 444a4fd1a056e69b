import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let refetchable = DocumentCheck(
        .mistake, "CheckRefetchable", [.notRefetchable],
        .written { CheckRefetchable.check($0.program) },
        .refetched { CheckRefetchable.check(queriesOf: $0) })
}

/// Checks `@refetchable`, the directives beside it, and the selections below it.
///
/// - No fragment has the name of the query.
/// - The fragment does not state whether it is plural: the query fetches one object.
/// - The fragment has at most one connection, which is not below a list: the query fetches one page of the connection.
/// - The directives for the query are known, may stand on a query, and have the arguments that they define.
/// - The arguments of the connection that choose a page are variables, so that the query can give them other values.
///
/// - A query leads to the object.
/// - The query has no two variables of one name: for the object, for the arguments of the fragment, and for the
///   variables that fragments below take from the operation. This check looks at the generated query.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#refetchable
struct CheckRefetchable {
    private let schema: Schema
    private var diagnostics: [Diagnostic] = []

    private init(schema: Schema) {
        self.schema = schema
    }

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckRefetchable(schema: program.schema)
        var names = Set(program.operations.map(\.name))
        for fragment in program.fragments {
            guard let directive = fragment.directives.named("refetchable") else { continue }
            check.visit(fragment, directive)
            check.visit(directivesFor: directive)
            guard let name = fragment.refetchQueryName else { continue }
            let place = directive.argument("queryName")?.span ?? directive.name.span
            if let other = program.fragment(named: name) {
                check.report(
                    "the query cannot have the name of the fragment '\(name)'", at: place, "the fragment is here",
                    other.span, "choose another name")
            }
            if !names.insert(name).inserted {
                check.report(
                    "there is another operation with the name '\(name)'", at: place, suggestion: "choose another name")
            } else if !GenerateRefetchQueries.reaches(fragment, directive, in: program.schema) {
                check.report(
                    "'\(fragment.name)' cannot be fetched again: no query leads to an object of type '\(fragment.type.name)'",
                    at: directive.name.span,
                    suggestion: "write the fragment on the query type, on 'Viewer', or on a type that implements 'Node'"
                )
            }
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

    // MARK: - Variables of the query

    /// Checks the queries that `GenerateRefetchQueries` made.
    fileprivate static func check(queriesOf program: Program) -> [Diagnostic] {
        let refetchable = program.fragments.filter { $0.directives.named("refetchable") != nil }
        if refetchable.isEmpty { return [] }
        var check = CheckRefetchable(schema: program.schema)
        let queries = Dictionary(program.operations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var types = VariableTypes(program)
        for fragment in refetchable {
            guard let query = fragment.refetchQueryName.flatMap({ queries[$0] }) else { continue }
            check.visit(query, of: fragment, &types)
        }
        return check.diagnostics
    }

    private mutating func visit(_ query: Operation, of fragment: Fragment, _ types: inout VariableTypes) {
        let spans = Dictionary(grouping: query.variables, by: \.name).mapValues { $0.map(\.span) }
        if spans.count == query.variables.count { return }
        let identifier = query.identifiesObject ? schema.names.nodeInterfaceIDVariable : nil
        for argument in fragment.arguments where argument.provider == nil {
            // One of the variables is the identifier of the object.
            let count = (spans[argument.name]?.count ?? 0) - (argument.name == identifier ? 1 : 0)
            if count > 1 { reportClash(of: argument, in: fragment, query.name, &types) }
        }
        guard let identifier, let first = spans[identifier], first.count > 1 else { return }
        report(
            "the query needs a variable '$\(identifier)' for the object; '$\(identifier)' is used otherwise here",
            at: first[0])
    }

    /// Reports an argument with the name of a variable that a fragment below takes from the operation.
    private mutating func reportClash(
        of argument: FragmentArgument, in fragment: Fragment, _ query: String, _ types: inout VariableTypes
    ) {
        var notes: [Diagnostic.Note] = []
        if let (other, place) = types.use(of: argument.name, below: fragment) {
            notes = [.init("'\(other)' takes '$\(argument.name)' from the operation here", at: place)]
        }
        diagnostics.append(
            Diagnostic(
                .notRefetchable,
                "the query '\(query)' needs '$\(argument.name)' for this argument and for a variable of the same name",
                at: argument.span, notes: notes, suggestion: "give the argument another name"))
    }

    // MARK: - Directives for the query

    private mutating func visit(directivesFor refetchable: Directive) {
        for (value, directives) in refetchable.ofRefetchQuery {
            guard let directives else {
                report("a directive for the query is a string such as \"@name(argument: 1)\"", at: value.span)
                continue
            }
            for directive in directives { visit(directive, at: value.span) }
        }
    }

    /// Checks a directive for the query. `span` is the place of the string with the directive.
    private mutating func visit(_ directive: Directive, at span: Span) {
        let name = "@" + directive.name.text
        guard let definition = schema.directive(named: directive.name.text) else {
            return report("unknown directive '\(name)' for the query", at: span)
        }
        if !definition.locations.contains(.query) {
            report("directive '\(name)' cannot stand on a query", at: span)
        }
        if definition.takesAnyArgument || definition.hasUncheckedArguments { return }
        for argument in directive.arguments {
            let written = argument.name.text
            guard let known = definition.argument(named: written) else {
                let question = Spelling.question(for: written, among: definition.arguments.map(\.name))
                report("directive '\(name)' has no argument '\(written)'", at: span, suggestion: question)
                continue
            }
            if schema.takes(argument.value, as: known.type) { continue }
            let type = schema.describe(known.type)
            report("argument '\(written)' of directive '\(name)' is of type '\(type)'", at: span)
        }
        for argument in definition.arguments where argument.isRequired && directive.argument(argument.name) == nil {
            let type = schema.describe(argument.type)
            report("directive '\(name)' needs argument '\(argument.name)' of type '\(type)'", at: span)
        }
    }

    private mutating func report(_ message: String, at span: Span, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(.notRefetchable, message, at: span, suggestion: suggestion))
    }

    // MARK: - Connections

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

    /// The connections of selections, each with whether it is below a list. The parser's nesting limit bounds the
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

extension Operation {
    /// Whether the query of a fragment finds its object by an identifier.
    fileprivate var identifiesObject: Bool {
        guard case .field(let field)? = selections.first else { return false }
        return !field.arguments.isEmpty
    }
}
