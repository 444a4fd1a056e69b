import BatonDiagnostics
import BatonIR

/// Moves the conditions of selections to the inline fragment around them, for inline fragments that some copies of a
/// fragment leave out.
///
/// Before:
///
///     { ... on Actor { url @include(if: $a) photo @skip(if: $b) } }
///
/// After:
///
///     { ... on Actor @include(if: $a) { url } ... on Actor @skip(if: $b) { photo } }
///
/// A copy whose arguments exclude everything does not ask which objects are actors, so its reader must not ask the
/// store for it. Where no condition of the reader says which copies these are, because a spread is empty in them, the
/// inline fragment is marked as the client's: what nobody has asked is not missed.
///
/// Runs after `ResolveConditions`, for readers.
struct MoveConditionsOut {
    /// The places of the inline fragments.
    let emptied: Set<Span>

    /// The largest number of conditions for which one selection is repeated. A selection with more stays as it is,
    /// because the size would be quadratic.
    private static let repetitionLimit = 32

    /// The parser's nesting limit bounds the recursion.
    func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.flatMap { selection -> [TypedSelection] in
            switch selection {
            case .field(var field):
                field.selections = transform(field.selections)
                return [.field(field)]
            case .inlineFragment(var inline):
                inline.selections = transform(inline.selections)
                guard emptied.contains(inline.span) else { return [.inlineFragment(inline)] }
                return parts(of: inline).map { .inlineFragment($0) }
            case .spread: return [selection]
            }
        }
    }

    /// The selections of an inline fragment, by their conditions. Parts with one condition would be the same to
    /// `Flatten`.
    private func parts(of inline: TypedInlineFragment) -> [TypedInlineFragment] {
        var parts: [TypedInlineFragment] = []
        var positions: [Conjunction: Int] = [:]
        for selection in inline.selections {
            let (conditions, isAsked) = conditions(of: selection)
            for condition in conditions.compactMap({ inline.condition.and($0) }) {
                if let known = positions[condition] {
                    parts[known].selections.append(selection)
                    if isAsked { parts[known].isClient = inline.isClient }
                } else {
                    var part = inline
                    part.condition = condition
                    part.selections = [selection]
                    part.isClient = inline.isClient || !isAsked
                    positions[condition] = parts.count
                    parts.append(part)
                }
            }
        }
        return parts
    }

    /// The conditions under one of which a selection is asked for, and whether it is certainly asked for under each.
    private func conditions(of selection: TypedSelection) -> (all: [Conjunction], isAsked: Bool) {
        let (own, inner, isEmptied) =
            switch selection {
            case .field(let field): (field.condition, field.selections, emptied.contains(field.span))
            case .inlineFragment(let inline): (inline.condition, inline.selections, emptied.contains(inline.span))
            case .spread(let spread): (spread.condition, [], emptied.contains(spread.span))
            }
        guard isEmptied else { return ([own], true) }
        let parts = inner.map(conditions)
        let all = Set(parts.flatMap(\.all).compactMap(own.and))
        if all.isEmpty || all.count > Self.repetitionLimit { return ([own], false) }
        return (
            all.sorted { $0.literals.lexicographicallyPrecedes($1.literals) }, parts.allSatisfy(\.isAsked)
        )
    }
}
