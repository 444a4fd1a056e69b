import BatonDiagnostics
import BatonIR
import BatonSyntax

/// Removes selections that can never apply, and selections around them that become empty.
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
    /// The places of the fields, inline fragments and spreads that were removed because they became empty.
    private var emptied: Set<Span> = []

    static func apply(to program: Program) -> (program: Program, emptied: Set<Span>) {
        var transform = SkipUnreachable()
        var reached = program.mapSelections { transform.transform($0) }
        let content = FragmentContent(reached, .any)
        if content.emptyFragments.isEmpty { return (reached, transform.emptied) }
        transform.isKept = { !content.emptyFragments.contains($0) }
        reached = reached.mapSelections { transform.transform($0) }
        return (reached, transform.emptied)
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.compactMap { selection in
            switch selection {
            case .field(var field):
                if field.directives.neverApply { return nil }
                if field.selections.isEmpty { return selection }
                field.selections = transform(field.selections)
                if !field.selections.isEmpty { return .field(field) }
                emptied.insert(field.span)
                return nil
            case .inlineFragment(var inline):
                if inline.directives.neverApply { return nil }
                inline.selections = transform(inline.selections)
                if !inline.selections.isEmpty { return .inlineFragment(inline) }
                emptied.insert(inline.span)
                return nil
            case .spread(let spread):
                if spread.directives.neverApply { return nil }
                if isKept(spread.fragment) { return selection }
                emptied.insert(spread.span)
                return nil
            }
        }
    }
}

extension [Directive] {
    /// Whether `@skip(if: true)` or `@include(if: false)` is among the directives.
    var neverApply: Bool {
        contains { directive in
            guard directive.name.text == "skip" || directive.name.text == "include",
                case .boolean(let literal)? = directive.argument("if")
            else { return false }
            return literal.isTrue == (directive.name.text == "skip")
        }
    }
}
