import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let connections = DocumentCheck(
        .mistake, "CheckConnections", [.invalidConnection],
        .written { CheckConnections.check($0.program) },
        .plan { plan, _ in plan.handleConflicts.map(CheckConnections.conflict(at:)) })
}

/// Checks that a field with `@connection` is a connection, and that its handler finds the needed fields and arguments.
///
/// - The type has `edges`, a list of objects with `node` and `cursor`, and `pageInfo` with the four fields of a page.
/// - `first` or `last` is passed, and `edges` is selected once.
/// - With `@stream_connection`, neither `edges` nor `pageInfo` has an alias.
/// - The key ends with `_` and the response key of the field.
/// - The filters are arguments that are passed to the field.
/// - The handler is a name, and the dynamic key is a variable.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#connection
struct CheckConnections: ProgramVisitor {
    private let schema: Schema
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckConnections(schema: program.schema)
        check.walk(program)
        return check.diagnostics
    }

    private init(schema: Schema) {
        self.schema = schema
    }

    mutating func visit(_ field: TypedField) {
        guard let directive = field.connection else { return }
        let name = "@" + directive.name.text
        if let message = mistake(inTypeOf: field, name) { return report(message, at: field.span) }
        if !field.arguments.contains(where: { $0.name.text == "first" || $0.name.text == "last" }) {
            report("'\(name)' needs the argument 'first' or 'last' at '\(field.responseKey)'", at: field.span)
        }
        let edges = field.selections.compactMap { selection -> TypedField? in
            guard case .field(let field) = selection else { return nil }
            return field.definition.name == schema.names.edges ? field : nil
        }
        if edges.isEmpty {
            report("a field with '\(name)' must select '\(schema.names.edges)' directly", at: field.span)
        }
        for other in edges.dropFirst() {
            report(
                "a field with '\(name)' selects '\(schema.names.edges)' once", at: other.span,
                suggestion: "put the selections into one field")
        }
        if directive.name.text == "stream_connection" { checkAliases(in: field) }
        switch directive.argument("key") {
        case .string(let key):
            if !key.text.hasSuffix("_" + field.responseKey) {
                report(
                    "the key '\(key.text)' must end with '_\(field.responseKey)'", at: key.span,
                    suggestion: "write '<Component>_\(field.responseKey)'")
            }
        case let value: report("the key must be a string", at: value?.span ?? directive.name.span)
        }
        if let handler = directive.argument("handler"), !handler.isNull {
            if case .string = handler {} else { report("the handler is a name, as a string", at: handler.span) }
        }
        if let key = directive.argument("dynamicKey_UNSTABLE"), !key.isNull {
            if case .variable = key {
            } else {
                report("the dynamic key is a variable", at: key.span, suggestion: "write a constant in 'key'")
            }
        }
        visit(filtersOf: field, directive)
    }

    private mutating func checkAliases(in connection: TypedField) {
        for case .field(let field) in connection.selections {
            let name = field.definition.name
            let arrivesLater = name == schema.names.edges || name == schema.names.pageInfo
            guard arrivesLater, field.responseKey != name else { continue }
            report(
                "'\(name)' cannot have an alias in a field with '@stream_connection', where it arrives later",
                at: field.span, suggestion: "write '\(name)'")
        }
    }

    private mutating func visit(filtersOf field: TypedField, _ directive: Directive) {
        guard let filters = directive.argument("filters") else { return }
        guard case .list(let list) = filters else {
            report("the filters must be a list of names of arguments", at: filters.span)
            return
        }
        for filter in list.values {
            guard case .string(let name) = filter else {
                report("a filter is the name of an argument, as a string", at: filter.span)
                continue
            }
            if field.arguments.contains(where: { $0.name.text == name.text }) { continue }
            let isDefined = field.definition.argument(named: name.text) != nil
            let question = Spelling.question(for: name.text, among: field.arguments.map(\.name.text))
            report(
                isDefined
                    ? "'\(name.text)' is not passed here, so it cannot be a filter"
                    : "'\(field.definition.name)' has no argument '\(name.text)'",
                at: name.span, suggestion: isDefined ? "leave it out of the filters, or pass it" : question)
        }
    }

    /// The defect in the type of the field; nil if the field is a connection.
    private func mistake(inTypeOf field: TypedField, _ name: String) -> String? {
        let type = schema.namedType(of: field.definition.type)
        func missing(_ what: String) -> String {
            "'\(field.definition.name)' is no connection for '\(name)': its type '\(type.name)' \(what)"
        }
        if field.definition.type.isList {
            return "'\(field.definition.name)' is no connection for '\(name)': it is a list"
        }
        let names = schema.names
        guard let edges = type.field(named: names.edges), edges.type.listDepth == 1 else {
            return missing("has no list '\(names.edges)'")
        }
        let edge = schema.namedType(of: edges.type)
        guard let node = edge.field(named: names.node), !node.type.isList, schema.namedType(of: node.type).isComposite
        else {
            return missing("has edges without an object '\(names.node)'")
        }
        guard let cursor = edge.field(named: names.cursor), schema.namedType(of: cursor.type).isLeaf else {
            return missing("has edges without a '\(names.cursor)'")
        }
        guard let info = type.field(named: names.pageInfo), !info.type.isList else {
            return missing("has no '\(names.pageInfo)'")
        }
        let page = schema.namedType(of: info.type)
        for name in [names.endCursor, names.hasNextPage, names.hasPreviousPage, names.startCursor] {
            guard let leaf = page.field(named: name), schema.namedType(of: leaf.type).isLeaf else {
                return missing("has no '\(name)' in '\(names.pageInfo)'")
            }
        }
        return nil
    }

    /// The mistake of a field that is two different connections in one set.
    fileprivate static func conflict(at span: Span) -> Diagnostic {
        let message = "the field has another key or other filters here than elsewhere in the same set"
        let suggestion = "write the same '@connection' at each place, or give one field an alias"
        return Diagnostic(.invalidConnection, message, at: span, suggestion: suggestion)
    }

    private mutating func report(_ message: String, at span: Span, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(.invalidConnection, message, at: span, suggestion: suggestion))
    }
}
