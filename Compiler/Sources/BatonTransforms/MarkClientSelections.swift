import BatonIR
import BatonSchema

/// Marks the fields that no server is asked for: those that only the client knows, and those below which nothing is
/// asked for.
///
/// Before, where `isSelected` and `note` were added by a schema extension:
///
///     { film { id isSelected } place { note } }
///
/// After, with marks in brackets:
///
///     { film { id [client] isSelected } [client] place { [client] note } }
///
/// Texts leave out what is marked. Plans keep it, because an updater may write it.
///
/// Runs after `SkipUnreachable`.
struct MarkClientSelections {
    private let content: FragmentContent

    static func apply(to program: Program) -> Program {
        let transform = MarkClientSelections(content: FragmentContent(program, .server))
        return program.mapSelections { transform.transform($0, isClient: false) }
    }

    /// The parser's nesting limit bounds the recursion.
    private func transform(_ selections: [TypedSelection], isClient: Bool) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.isClient =
                    isClient || field.definition.isClientOnly
                    || !field.selections.isEmpty && !content.hasContent(field.selections)
                field.selections = transform(field.selections, isClient: field.isClient)
                return .field(field)
            case .inlineFragment(var inline):
                let isClient = isClient || inline.type?.isClientOnly == true
                inline.isClient = isClient || !content.hasContent(inline.selections)
                inline.selections = transform(inline.selections, isClient: isClient)
                return .inlineFragment(inline)
            case .spread(var spread):
                spread.isClient = isClient || content.emptyFragments.contains(spread.fragment)
                return .spread(spread)
            }
        }
    }
}
