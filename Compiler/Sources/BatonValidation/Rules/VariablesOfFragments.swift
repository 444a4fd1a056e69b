import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let variablesOfFragments = ValidationRule(
        .relay, "VariablesOfFragments",
        .followed { $0.checkVariablesOfFragments() })
}

/// Checks the variables that fragments take from operations, one fragment at a time. Relay checks them even where no
/// operation reaches the fragment.
///
/// Reference: https://relay.dev/docs/guided-tour/rendering/variables/
extension Traversal {
    /// Checks that all uses of a variable in a fragment expect types that one value can have.
    func checkVariablesOfFragments() {
        for fragment in definitions.fragments where !fragment.definition.isBroken && !fragment.mayDeclareMore {
            var first: [String: VariableUsage] = [:]
            for usage in fragment.facts.usages where !usage.isUnchecked {
                guard let type = usage.type else { continue }
                guard let known = first[usage.variable.name], let other = known.type else {
                    first[usage.variable.name] = usage
                    continue
                }
                if areCompatible(type, other) {
                    if schema.isSubtype(type, of: other) { first[usage.variable.name] = usage }
                    continue
                }
                // A mistake that the check of an operation finds has been reported.
                if unfitUsages[usage.variable.span] != nil || unfitUsages[known.variable.span] != nil { continue }
                let (expected, before) = (schema.describe(type), schema.describe(other))
                report(
                    .incompatibleVariable,
                    "variable '$\(usage.variable.name)' is used where '\(expected)' is expected, and elsewhere in the fragment where '\(before)' is",
                    at: usage.variable.span,
                    notes: [.init("used here, too", at: known.variable.span)]
                )
            }
        }
    }

    /// Whether a variable of one of two types fits where the other is expected.
    func areCompatible(_ type: TypeReference, _ other: TypeReference) -> Bool {
        schema.isSubtype(type, of: other) || schema.isSubtype(other, of: type)
    }
}
