import BatonIR
import BatonSyntax

/// Gives the spreads of a fragment with `@alias` the fragment's alias.
///
/// Before:
///
///     { hero { ...Hero_name } }
///     fragment Hero_name on Hero @alias(as: "title") { name }
///
/// After:
///
///     { hero { ...Hero_name @alias(as: "title") } }
///
/// A spread with an alias of its own keeps it. This transform runs first, so that the checks see the aliases.
enum AliasSpreads {
    static func apply(to program: Program) -> Program {
        var aliases: [String: Directive] = [:]
        for fragment in program.fragments { aliases[fragment.name] = fragment.directives.named("alias") }
        if aliases.isEmpty { return program }
        // The parser's nesting limit bounds the recursion.
        func aliased(_ selections: [TypedSelection]) -> [TypedSelection] {
            selections.map { selection in
                switch selection {
                case .field(var field):
                    field.selections = aliased(field.selections)
                    return .field(field)
                case .inlineFragment(var inline):
                    inline.selections = aliased(inline.selections)
                    return .inlineFragment(inline)
                case .spread(var spread):
                    guard let alias = aliases[spread.fragment], spread.directives.named("alias") == nil else {
                        return selection
                    }
                    spread.directives.append(alias)
                    return .spread(spread)
                }
            }
        }
        return program.mapSelections(aliased)
    }
}
