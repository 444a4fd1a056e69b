import BatonIR
import BatonSchema

/// Removes from requests what only the client knows: fields, fragments, and directives that are not sent.
///
/// Before, where `isSelected` was added by a schema extension, and the server does not declare `@note`:
///
///     { film @note { id isSelected } }
///
/// After:
///
///     { film { id } }
///
/// Readers keep these fields. Runs after `ResolveConditions`.
package struct SkipClientFields {
    private let schema: Schema

    package init(schema: Schema) {
        self.schema = schema
    }

    package func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.compactMap { selection in
            switch selection {
            case .field(var field):
                if field.definition.isClientOnly { return nil }
                field.directives.removeAll { !schema.sends($0) }
                field.selections = transform(field.selections)
                return .field(field)
            case .inlineFragment(var inline):
                if inline.type?.isClientOnly == true { return nil }
                inline.directives.removeAll { !schema.sends($0) }
                inline.selections = transform(inline.selections)
                return .inlineFragment(inline)
            case .spread(var spread):
                spread.directives.removeAll { !schema.sends($0) }
                return .spread(spread)
            }
        }
    }
}
