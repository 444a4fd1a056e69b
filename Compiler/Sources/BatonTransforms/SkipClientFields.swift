import BatonIR
import BatonSchema

/// Removes what only the client knows from what a server is asked.
///
/// Before, where `isSelected` was added by a schema extension:
///
///     { film { id isSelected } }
///
/// After:
///
///     { film { id } }
///
/// Readers keep these fields. Runs after `ResolveConditions`.
package struct SkipClientFields {
    package init() {}

    package func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.compactMap { selection in
            switch selection {
            case .field(var field):
                if field.definition.isClientOnly { return nil }
                field.selections = transform(field.selections)
                return .field(field)
            case .inlineFragment(var inline):
                if inline.type?.isClientOnly == true { return nil }
                inline.selections = transform(inline.selections)
                return .inlineFragment(inline)
            case .spread: return selection
            }
        }
    }
}
