import BatonIR
import BatonSchema

/// Chooses the spreads that the text of an operation inlines.
///
/// Before:
///
///     query Q { hero { ...Name ...Name2 } villain { ...Name } }
///
/// After, since `Name2` is used once and `Name` twice:
///
///     query Q { hero { ...Name rank } villain { ...Name } }
///
/// For a fragment that is used once, a definition takes more bytes than the selections in place; for a fragment that is
/// used more often, it saves bytes. The text of a fragment that is not inlined is printed once for all operations, so
/// nothing is inlined there. The choice therefore concerns only spreads that are reached from the operation through
/// inlined fragments.
///
/// A spread is kept if it has directives that are sent, or if its fragment's definition has some.
///
/// The cost is linear in the spreads of the reached fragments.
package struct InlineSpreads {
    private let spreads: [String: [TypedSpread]]
    private let withDirectives: Set<String>

    /// Collects the direct spreads of every fragment.
    package init(_ fragments: [Fragment], schema: Schema) {
        withDirectives = Set(fragments.filter { $0.directives.contains(where: schema.sends) }.map(\.name))
        spreads = Dictionary(
            fragments.map { ($0.name, TypedSelection.spreads(in: $0.selections)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The fragments to inline into an operation with these selections.
    package func inlined(into selections: [TypedSelection]) -> Set<String> {
        var uses: [String: Int] = [:]
        var hasDirectives = withDirectives
        var pending: [TypedSpread] = TypedSelection.spreads(in: selections)
        let direct = pending
        while let spread = pending.popLast() {
            uses[spread.fragment, default: 0] += 1
            if !spread.directives.isEmpty { hasDirectives.insert(spread.fragment) }
            if uses[spread.fragment] == 1 { pending += spreads[spread.fragment] ?? [] }
        }
        var inlined: Set<String> = []
        pending = direct
        while let spread = pending.popLast() {
            guard uses[spread.fragment] == 1, !hasDirectives.contains(spread.fragment) else { continue }
            if inlined.insert(spread.fragment).inserted { pending += spreads[spread.fragment] ?? [] }
        }
        return inlined
    }
}
