import BatonIR
import BatonSyntax

/// Removes selections that can never apply, and what then has no selections left.
///
/// Before:
///
///     { hero { name } villain { ...Note } ... @skip(if: true) { rank } }
///     fragment Note on Hero { age @include(if: false) }
///
/// After:
///
///     { hero { name } }
///
/// Runs before `ResolveConditions`; for texts and normalization plans after `ApplyFragmentArguments`, which may turn
/// conditions into constants. The cost is linear in the documents, unless fragments become empty one after another.
struct SkipUnreachable {
    private var isKept: (String) -> Bool = { _ in true }

    static func apply(to program: Program) -> Program {
        var transform = SkipUnreachable()
        var reached = program.mapSelections { transform.transform($0) }
        let content = FragmentContent(reached, .any)
        if content.emptyFragments.isEmpty { return reached }
        transform.isKept = { !content.emptyFragments.contains($0) }
        reached = reached.mapSelections { transform.transform($0) }
        return reached
    }

    /// The parser's nesting limit bounds the recursion.
    private func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.compactMap { selection in
            switch selection {
            case .field(var field):
                if field.directives.neverApply { return nil }
                if field.selections.isEmpty { return selection }
                field.selections = transform(field.selections)
                return field.selections.isEmpty ? nil : .field(field)
            case .inlineFragment(var inline):
                if inline.directives.neverApply { return nil }
                inline.selections = transform(inline.selections)
                return inline.selections.isEmpty ? nil : .inlineFragment(inline)
            case .spread(let spread):
                return spread.directives.neverApply || !isKept(spread.fragment) ? nil : selection
            }
        }
    }
}

extension [Directive] {
    /// Whether `@skip(if: true)` or `@include(if: false)` is among the directives.
    fileprivate var neverApply: Bool {
        contains { directive in
            guard directive.name.text == "skip" || directive.name.text == "include",
                case .boolean(let literal)? = directive.argument("if")
            else { return false }
            return literal.isTrue == (directive.name.text == "skip")
        }
    }
}
