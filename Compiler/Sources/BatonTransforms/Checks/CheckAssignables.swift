import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let assignables = DocumentCheck(
        .mistake, "CheckAssignables", [.invalidUpdatable], .written { CheckAssignables.check($0.program) })
}

/// Checks fragments with `@assignable`, which stand for "any object of this type" in updates.
///
/// Such a fragment selects `__typename` and nothing else, and has no other directive.
///
/// Reference: https://relay.dev/docs/guided-tour/updating-data/typesafe-updaters-faq/
struct CheckAssignables {
    static func check(_ program: Program) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for fragment in program.fragments {
            guard fragment.directives.named("assignable") != nil else { continue }
            for directive in fragment.directives where directive.name.text != "assignable" {
                let message = "'@\(directive.name.text)' cannot stand on an assignable fragment"
                diagnostics.append(Diagnostic(.invalidUpdatable, message, at: directive.name.span))
            }
            if fragment.selections.count == 1, isTypename(fragment.selections[0]) { continue }
            let message = "an assignable fragment selects '__typename' alone, without an alias and directives"
            diagnostics.append(Diagnostic(.invalidUpdatable, message, at: fragment.span))
        }
        return diagnostics
    }

    private static func isTypename(_ selection: TypedSelection) -> Bool {
        guard case .field(let field) = selection else { return false }
        return field.definition.name == "__typename" && field.responseKey == "__typename" && field.directives.isEmpty
    }
}
