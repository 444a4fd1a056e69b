import BatonDiagnostics
import BatonIR
import BatonSyntax

/// Checks `@required`, `@catch` and `@throwOnFieldError` against one another.
///
/// - A field is required or caught, not both. A definition throws errors or catches them, not both.
/// - A required field below a required field has an action that is at least as severe, since it takes the outer field
///   with it.
/// - An inline fragment has no data of its own that `@catch` could take the place of.
///
/// `Flatten` finds fields that are selected with different directives.
///
/// Reference: https://relay.dev/docs/guides/required-directive/
struct CheckNullability {
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckNullability()
        for operation in program.operations { check.visit(operation.directives, operation.selections) }
        for fragment in program.fragments { check.visit(fragment.directives, fragment.selections) }
        return check.diagnostics
    }

    private mutating func visit(_ directives: [Directive], _ selections: [TypedSelection]) {
        if let directive = directives.named("catch"), directives.named("throwOnFieldError") != nil {
            report("errors are either caught or thrown", directive, "leave out '@catch' or '@throwOnFieldError'")
        }
        visit(selections, below: nil)
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: [TypedSelection], below outer: RequiredAction?) {
        for selection in selections {
            switch selection {
            case .field(let field):
                let nullability = FieldNullability(field.directives)
                if let directive = field.directives.named("required") {
                    if nullability.catches != nil {
                        report("a field is either required or caught", directive, "leave out '@required' or '@catch'")
                    }
                    if let action = nullability.required, let outer, action < outer {
                        report(
                            "the action '\(action.rawValue)' is milder than that of the field around", directive,
                            "write '\(outer.rawValue)', or a milder action at the field around")
                    }
                }
                visit(field.selections, below: nullability.required)
            case .inlineFragment(let inline):
                if let directive = inline.directives.named("catch") {
                    report(
                        "an inline fragment has no data of its own to catch errors for", directive,
                        "write '@catch' at the field around")
                }
                visit(inline.selections, below: outer)
            case .spread: break
            }
        }
    }

    private mutating func report(_ message: String, _ directive: Directive, _ suggestion: String) {
        diagnostics.append(
            Diagnostic(.differentNullability, message, at: directive.name.span, suggestion: suggestion))
    }
}
