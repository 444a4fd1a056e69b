import BatonDiagnostics
import BatonIR
import BatonSchema

/// Marks the fields that the server is not asked for: fields that only the client knows, and fields without any
/// selection for the server.
///
/// Before, where `isSelected` and `note` were added by a schema extension:
///
///     { film { id isSelected } place { note } }
///
/// After, with marks in brackets:
///
///     { film { id [client] isSelected } [client] place { [client] note } }
///
/// Texts leave out marked fields. Plans keep them, because an updater may write them.
///
/// A reader serves all copies of its fragment. It marks a field even if only one copy leaves the field out, because its
/// arguments remove all selections below the field. It also marks a spread of a fragment with an empty copy, because
/// then the server is not asked which objects are of the fragment's type.
///
/// Runs after `SkipUnreachable`.
struct MarkClientSelections {
    private let content: FragmentContent
    private let emptied: Set<Span>

    /// Marks the fields of a program. `emptied` has the places of fields and spreads that copies of fragments leave
    /// out. `ids` is given for a program that is read, which has no generated `id`.
    static func apply(
        to program: Program, emptied: Set<Span> = [], without ids: GenerateIDs? = nil
    ) -> Program {
        let kind = ids.map { FragmentContent.Kind.serverWithoutIDs($0) } ?? .server
        let transform = MarkClientSelections(
            content: FragmentContent(program, kind), emptied: emptied.subtracting([.none]))
        return program.mapSelections { transform.transform($0, isClient: false) }
    }

    /// The parser's nesting limit bounds the recursion.
    private func transform(_ selections: [TypedSelection], isClient: Bool) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                let isUnasked = isClient || field.definition.isClientOnly || !content.hasContent(field)
                field.isClient = isUnasked || !field.selections.isEmpty && emptied.contains(field.span)
                field.selections = transform(field.selections, isClient: isUnasked)
                return .field(field)
            case .inlineFragment(var inline):
                let isClient = isClient || inline.type?.isClientOnly == true
                inline.isClient = isClient || !content.hasContent(inline.selections)
                inline.selections = transform(inline.selections, isClient: isClient)
                return .inlineFragment(inline)
            case .spread(var spread):
                spread.isClient =
                    isClient || content.emptyFragments.contains(spread.fragment) || emptied.contains(spread.span)
                return .spread(spread)
            }
        }
    }
}
