import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let uncaughtFields = DocumentCheck(
        .mistake, "CheckUncaughtFields", [.uncaughtField], .written { CheckUncaughtFields.check($0.program) })
}

/// Checks that fields of client schema extensions are caught in definitions that throw errors.
///
/// With `@throwOnFieldError` a missing value is an error, and the client's own fields need not have values. Therefore
/// `@catch` must stand at such a field, or around it.
///
/// Reference: https://relay.dev/docs/guides/throw-on-field-error-directive/
struct CheckUncaughtFields {
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckUncaughtFields()
        for operation in program.operations where operation.directives.throwUncaughtErrors {
            check.visit(operation.selections)
        }
        for fragment in program.fragments where fragment.directives.throwUncaughtErrors {
            check.visit(fragment.selections)
        }
        return check.diagnostics
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: [TypedSelection]) {
        for selection in selections {
            switch selection {
            case .field(let field):
                if field.directives.named("catch") != nil { continue }
                guard field.definition.mayBeUnset else {
                    visit(field.selections)
                    continue
                }
                diagnostics.append(
                    Diagnostic(
                        .uncaughtField,
                        "the client may not have set '\(field.definition.name)', which '@throwOnFieldError' makes an error",
                        at: field.span, suggestion: "write '@catch' at the field"))
            case .inlineFragment(let inline) where inline.directives.named("catch") == nil: visit(inline.selections)
            case .inlineFragment, .spread: break
            }
        }
    }
}

extension SchemaField {
    /// Whether the value comes only from the client, and may be missing.
    fileprivate var mayBeUnset: Bool {
        isClientOnly && name != "__id" && !directives.contains { $0.name.text == "relay_resolver" }
    }
}

extension [Directive] {
    fileprivate var throwUncaughtErrors: Bool { named("throwOnFieldError") != nil && named("catch") == nil }
}
