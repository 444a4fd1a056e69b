import BatonIR
import BatonSchema

/// Chooses the spreads that the network text of an operation inlines.
///
/// Before:
///
///     query Q { hero { ...Name ...Name2 } villain { ...Name } }
///
/// After, since `Name2` is used once and `Name` twice:
///
///     query Q { hero { ...Name rank } villain { ...Name } }
///
/// A definition that is used once costs more bytes than its selections; one that is used more often saves them. The
/// body of a fragment that stays is printed once for all operations, so nothing is inlined there: the choice concerns
/// spreads that are reached from the operation through inlined ones alone.
///
/// A spread with directives that are sent stays, and so does one of a fragment whose definition has some.
///
/// Costs time linear in the spreads of the fragments reached.
package struct InlineSpreads {
    private let spreads: [String: [TypedSpread]]
    private let withDirectives: Set<String>

    /// Collects the direct spreads of every fragment once.
    package init(_ fragments: [Fragment], schema: Schema) {
        withDirectives = Set(fragments.filter { $0.directives.contains(where: schema.sends) }.map(\.name))
        spreads = Dictionary(
            fragments.map { ($0.name, Self.spreads(in: $0.selections)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The fragments to inline into an operation with these selections.
    package func inlined(into selections: [TypedSelection]) -> Set<String> {
        var uses: [String: Int] = [:]
        var hasDirectives = withDirectives
        var pending: [TypedSpread] = Self.spreads(in: selections)
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

    private static func spreads(in selections: [TypedSelection]) -> [TypedSpread] {
        selections.flatMap { selection in
            switch selection {
            case .field(let field): spreads(in: field.selections)
            case .inlineFragment(let inline): spreads(in: inline.selections)
            case .spread(let spread): [spread]
            }
        }
    }
}
