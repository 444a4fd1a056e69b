import BatonIR
import BatonSyntax

/// Leaves out arguments that are null, and the null fields of objects with a variable, as `ApplyFragmentArguments` does
/// for texts. Readers then look fields up under the keys of the answers. `CheckNullArguments` reports each omission.
///
/// Before:
///
///     { hero(of: null, where: {name: $name, rank: null}) { ...Name @arguments(style: null) } }
///
/// After:
///
///     { hero(where: {name: $name}) { ...Name } }
struct SkipNullArguments {
    /// The parser's nesting limit bounds the recursion.
    func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.arguments = FragmentBindings.none.apply(to: field.arguments)
                field.selections = transform(field.selections)
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = transform(inline.selections)
                return .inlineFragment(inline)
            case .spread(var spread):
                for index in spread.directives.indices
                where TypedSpread.argumentDirectives.contains(spread.directives[index].name.text) {
                    let arguments = FragmentBindings.none.apply(to: spread.directives[index].arguments)
                    spread.directives[index].arguments = arguments
                }
                return .spread(spread)
            }
        }
    }
}
