import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let fieldMutations = DocumentCheck(
        .mistake, "CheckFieldMutations", [.ignoredDirective, .invalidFieldMutation],
        .written { CheckFieldMutations.check($0.program) },
        .plan { plan, _ in plan.mutationConflicts.map(CheckFieldMutations.conflict(at:)) })
}

/// Checks the directives by which a field of an answer changes connections and records.
///
/// - `@deleteRecord` and `@deleteEdge` stand on an `ID` or a list of `ID`. On an object they have no effect, with a
///   warning, as in Relay.
/// - Of several directives that delete, that add edges, or that add nodes, the first one has an effect, and there is a
///   warning for the others. A directive that adds edges and one that adds nodes contradict each other.
/// - `@appendEdge` and `@prependEdge` stand on an object or interface with the cursor and node of an edge, or on a list
///   of such objects.
/// - `@appendNode` and `@prependNode` stand on an object, interface or union, or on a list of such objects. A literal
///   `edgeTypeName` is the name of an object type.
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
        if directives.isEmpty { return }
        let isObject = schema.namedType(of: field.definition.type).isComposite
        let deleting = directives.filter { FieldMutation.deletingNames.contains($0.name.text) }
        let adding = directives.filter { !FieldMutation.deletingNames.contains($0.name.text) }
        if isObject {
            for directive in deleting {
                warn(
                    directive, "has no effect on '\(field.responseKey)', which is an object",
                    "write it at the field with the ID of what is deleted")
            }
            checkAdding(adding, to: field)
        } else {
            for directive in adding { checkKind(directive, of: field) }
            if let first = deleting.first { checkKind(first, of: field) }
            warnOfOthers(deleting)
        }
    }

    /// Checks the directives that add the object of a field to a connection. Directives for edges and directives for
    /// nodes contradict each other. Of several directives of one kind, the first one has an effect.
    private mutating func checkAdding(_ directives: [Directive], to field: TypedField) {
        guard let first = directives.first else { return }
        let isForEdges = FieldMutation.edgeNames.contains(first.name.text)
        if let other = directives.first(where: { FieldMutation.edgeNames.contains($0.name.text) != isForEdges }) {
            return report(
                "'@\(first.name.text)' and '@\(other.name.text)' cannot stand on one field",
                at: other.name.span, suggestion: "select the field twice, once with an alias")
        }
        checkKind(first, of: field)
        warnOfOthers(directives)
    }

    private mutating func warnOfOthers(_ directives: [Directive]) {
        guard let first = directives.first else { return }
        for other in directives.dropFirst() {
            warn(
                other, "has no effect beside '@\(first.name.text)', which comes first",
                "select the field twice, once with an alias")
        }
    }

    private mutating func warn(_ directive: Directive, _ lack: String, _ suggestion: String) {
        diagnostics.append(
            Diagnostic(
                .ignoredDirective, severity: .warning, "'@\(directive.name.text)' \(lack)", at: directive.name.span,
                suggestion: suggestion))
    }

    /// Checks that a field is of the kind that a directive changes, and checks the arguments of the directive.
    private mutating func checkKind(_ directive: Directive, of field: TypedField) {
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

    /// The mistake of a field with two different changes in one set.
    fileprivate static func conflict(at span: Span) -> Diagnostic {
        let message = "the field asks here for another change of the store than elsewhere in the same set"
        let suggestion = "write the same directive at each place, or give one field an alias"
        return Diagnostic(.invalidFieldMutation, message, at: span, suggestion: suggestion)
    }

    private mutating func report(_ message: String, at span: Span, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(.invalidFieldMutation, message, at: span, suggestion: suggestion))
    }
}
