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
/// A copy whose arguments exclude all selections does not ask which objects are actors, so that its reader must not ask
/// the store for this. If a spread is empty in such copies, no condition of the reader tells them apart. The inline
/// fragment is then marked as the client's, so that its data does not count as missing.
///
/// Runs after `ResolveConditions`, for readers.
struct MoveConditionsOut {
    /// The places of the inline fragments that some copies leave out.
    let emptied: Set<Span>

    /// The largest number of conditions for which one selection is repeated. A selection with more conditions stays
    /// unchanged, because the size would be quadratic.
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

    /// The selections of an inline fragment, grouped by their conditions. `Flatten` would take two parts with one
    /// condition for the same part.
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
