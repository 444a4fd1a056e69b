import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Checks the directives by which a field of an answer changes connections and records.
///
/// - A field has at most one of them.
/// - `@deleteRecord` and `@deleteEdge` stand on an `ID` or a list of it.
/// - `@appendEdge` and `@prependEdge` stand on an object or interface with the cursor and node of an edge, or on a list
///   of such.
/// - `@appendNode` and `@prependNode` stand on an object, interface or union, or on a list of such. Their
///   `edgeTypeName`, where it is a literal, is the name of an object type.
///
/// Reference: https://relay.dev/docs/guided-tour/list-data/updating-connections/
struct CheckFieldMutations: ProgramVisitor {
    private let schema: Schema
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckFieldMutations(schema: program.schema)
        check.walk(program)
        return check.diagnostics
    }

    private init(schema: Schema) {
        self.schema = schema
    }

    mutating func visit(_ field: TypedField) {
        let directives = field.directives.filter { FieldMutation.names.contains($0.name.text) }
        guard let directive = directives.first else { return }
        if directives.count > 1 {
            return report(
                "'@\(directive.name.text)' and '@\(directives[1].name.text)' cannot stand on one field",
                at: directives[1].name.span, suggestion: "select the field twice, once with an alias")
        }
        let name = directive.name.text
        let type = schema.namedType(of: field.definition.type)
        if FieldMutation.deletingNames.contains(name) {
            if type.name != "ID" { refuse(field, directive, "is no 'ID' and no list of it") }
        } else if FieldMutation.edgeNames.contains(name) {
            let (cursor, node) = (schema.names.cursor, schema.names.node)
            if type.field(named: cursor) == nil || type.field(named: node) == nil {
                refuse(field, directive, "is no edge with '\(cursor)' and '\(node)'")
            }
        } else if !type.isComposite {
            refuse(field, directive, "is no object, interface or union")
        }
        if name != "deleteRecord", directive.argument("connections") == nil {
            report("'@\(name)' needs the argument 'connections'", at: directive.name.span)
        }
        if FieldMutation.nodeNames.contains(name) { checkEdgeType(directive) }
    }

    private mutating func checkEdgeType(_ directive: Directive) {
        switch directive.argument("edgeTypeName") {
        case .string(let string):
            if schema.type(named: string.text)?.kind == .object { return }
            let objects = schema.types.filter { $0.kind == .object && !$0.name.hasPrefix("__") }.map(\.name)
            let meant = Spelling.suggestions(for: string.text, among: objects)
            report(
                "'\(string.text)' is not the name of an object type, so it cannot be the type of new edges",
                at: string.span, suggestion: Spelling.question(naming: meant))
        case .variable: break
        case let value:
            report(
                "'@\(directive.name.text)' needs the argument 'edgeTypeName'", at: value?.span ?? directive.name.span)
        }
    }

    private mutating func refuse(_ field: TypedField, _ directive: Directive, _ lack: String) {
        let type = schema.describe(field.definition.type)
        let name = directive.name.text
        report(
            "'\(field.responseKey)' is '\(type)', which \(lack), so '@\(name)' cannot stand here",
            at: directive.name.span)
    }

    private mutating func report(_ message: String, at span: Span, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(.invalidFieldMutation, message, at: span, suggestion: suggestion))
    }
}
