import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let nullability = DocumentCheck(
        .mistake, "CheckNullability", [.differentNullability, .invalidRequired, .needlessRequired],
        .written { CheckNullability.check($0.program) },
        .plan { plan, _ in plan.nullabilityConflicts.map(CheckNullability.conflict(at:)) })
}

/// Checks the places of `@required` and `@catch`.
///
/// - A field is required or caught, not both.
/// - A required field below a required field has an action that is at least as severe, because it removes the outer
///   field.
/// - A required field does not stand in a fragment on an abstract type: a null could also mean that the object is of
///   another type. It does not stand in a fragment with `@inline` either.
/// - A field with `DANGEROUSLY_THROW_ON_SEMANTICALLY_NULLABLE_FIELD` may be null for good reasons.
/// - A mutation has no component to which an error could be thrown, so that nothing in a mutation throws.
/// - An inline fragment without an alias has no data of its own that `@catch` could replace.
/// - A required field may be null; otherwise there is a warning.
///
/// `CheckRequiredPaths` compares the fields of a definition with one another.
///
/// Reference: https://relay.dev/docs/guides/required-directive/
struct CheckNullability {
    private let schema: Schema
    private var diagnostics: [Diagnostic] = []

    private init(schema: Schema) {
        self.schema = schema
    }

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckNullability(schema: program.schema)
        for operation in program.operations {
            let isMutation = operation.kind == .mutation
            if isMutation, let directive = operation.directives.named("throwOnFieldError") {
                check.report(
                    .invalidRequired, "the answer of a mutation is not read by a component that an error could reach",
                    directive, "write '@throwOnFieldError' at the fragments of the mutation")
            }
            let isStrict = ErrorTreatment(operation.directives).isStrict
            check.visit(
                operation.selections, on: operation.type, Place(isMutation: isMutation, isStrict: isStrict))
        }
        for fragment in program.fragments {
            let isInline = fragment.directives.named("inline") != nil
            let isStrict = ErrorTreatment(fragment.directives).isStrict
            check.visit(fragment.selections, on: fragment.type, Place(isInline: isInline, isStrict: isStrict))
        }
        return check.diagnostics
    }

    /// The surroundings of a selection.
    private struct Place {
        /// The action of the nearest required field around the selection.
        var outer: RequiredAction?
        /// The abstract type of a fragment around the selection, in the same set.
        var abstractType: SchemaType?
        var isInline = false
        var isMutation = false
        /// Whether errors are caught or thrown, so that `@semanticNonNull` counts.
        var isStrict = false
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: [TypedSelection], on type: SchemaType, _ place: Place) {
        for selection in selections {
            switch selection {
            case .field(let field):
                let nullability = FieldNullability(field.directives)
                if let directive = field.directives.named("required") {
                    visit(directive, of: field, on: type, nullability, place)
                }
                if field.selections.isEmpty { continue }
                var inner = place
                inner.outer = nullability.required
                inner.abstractType = nil
                if nullability.catches != nil { inner.isStrict = true }
                visit(field.selections, on: schema.namedType(of: field.definition.type), inner)
            case .inlineFragment(let inline):
                var inner = place
                if inline.directives.named("alias") != nil {
                    inner.outer = nil
                    inner.abstractType = nil
                    if inline.directives.named("catch") != nil { inner.isStrict = true }
                } else {
                    if let directive = inline.directives.named("catch") {
                        report(
                            .differentNullability, "an inline fragment has no data of its own to catch errors for",
                            directive, "write '@catch' at the field around, or add '@alias'")
                    }
                    if let type = inline.type, type.isAbstract { inner.abstractType = type }
                }
                visit(inline.selections, on: inline.type ?? type, inner)
            case .spread: break
            }
        }
    }

    private mutating func visit(
        _ directive: Directive, of field: TypedField, on type: SchemaType, _ nullability: FieldNullability,
        _ place: Place
    ) {
        if nullability.catches != nil {
            report(
                .differentNullability, "a field is either required or caught", directive,
                "leave out '@required' or '@catch'")
        }
        if let type = place.abstractType {
            report(
                .invalidRequired, "a field cannot be required in a fragment on '\(type.name)', which may not apply",
                directive, "write '@alias' at the fragment")
        }
        if place.isInline {
            report(
                .invalidRequired, "a field cannot be required in a fragment with '@inline'", directive,
                "leave out '@required'")
        }
        guard let action = nullability.required else { return }
        if isNeedless(action, of: field, on: type, place) {
            diagnostics.append(
                Diagnostic(
                    .needlessRequired, severity: .warning,
                    "'\(field.responseKey)' is never null here, so '@required' changes nothing",
                    at: directive.name.span, suggestion: "leave it out", fix: .init("", at: directive.span)))
        }
        if let outer = place.outer, action < outer {
            report(
                .differentNullability, "the action '\(action.rawValue)' is milder than that of the field around",
                directive, "write '\(outer.rawValue)', or a milder action at the field around")
        }
        if action == .throw, place.isMutation, !directive.throwsOnSemanticNull {
            report(
                .invalidRequired, "the answer of a mutation is not read by a component that an error could reach",
                directive, "write 'LOG' or 'NONE', or move the field to a fragment")
        }
        if directive.throwsOnSemanticNull, field.definition.semanticType(on: type).isNonNull {
            report(
                .invalidRequired, "the field '\(field.definition.name)' is never null without an error", directive,
                "write 'THROW'")
        }
    }

    /// Whether a required field is never null, and contains no required field that could make it null. `THROW` on a
    /// non-null field still has an effect if errors are neither caught nor thrown: a missing value makes the read fail.
    private func isNeedless(
        _ action: RequiredAction, of field: TypedField, on type: SchemaType, _ place: Place
    ) -> Bool {
        if TypedSelection.hasField(in: field.selections, where: { $0.directives.named("required") != nil }) {
            return false
        }
        if place.isStrict { return field.definition.semanticType(on: type).isNonNull }
        return field.definition.type.isNonNull && action != .throw
    }

    /// The mistake of a field that is selected twice in one set.
    fileprivate static func conflict(at span: Span) -> Diagnostic {
        let message = "the field is selected here and elsewhere in the set with different '@required' or '@catch'"
        return Diagnostic(.differentNullability, message, at: span, suggestion: "write the same at each place")
    }

    private mutating func report(
        _ id: DiagnosticID, _ message: String, _ directive: Directive, _ suggestion: String
    ) {
        diagnostics.append(Diagnostic(id, message, at: directive.name.span, suggestion: suggestion))
    }
}

extension Directive {
    /// Whether the directive is `@required` with the action for fields that may be null for good reasons.
    fileprivate var throwsOnSemanticNull: Bool {
        if case .enum(let action)? = argument("action") {
            action.text == RequiredAction.throwOnSemanticNull
        } else {
            false
        }
    }
}
