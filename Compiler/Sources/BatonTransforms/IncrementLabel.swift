import BatonIR
import BatonSyntax

/// The label of a part that arrives later, without the name of its definition.
struct IncrementLabel {
    /// `defer` or `stream`.
    let kind: String
    /// The label in the document, or its replacement.
    let name: String

    /// The label that is sent.
    func text(in definition: String) -> String { "\(definition)$\(kind)$\(name)" }
}

extension Directive {
    /// The label of the part for `@defer` or `@stream`.
    func incrementLabel(default name: String) -> IncrementLabel {
        if case .string(let given)? = argument("label") {
            return IncrementLabel(kind: self.name.text, name: given.text)
        }
        return IncrementLabel(kind: self.name.text, name: name)
    }

    /// Whether the literal `if: false` switches the directive off.
    var isSwitchedOff: Bool {
        if case .boolean(let value)? = argument("if") { !value.isTrue } else { false }
    }
}

extension TypedSpread {
    /// The label of a deferred fragment for which the document gives none.
    var incrementName: String { fragment + ArgumentHash.suffix(of: arguments) }
}

extension TypedField {
    /// The label of a streamed list for which the document gives none.
    var incrementName: String { responseKey + ArgumentHash.suffix(of: arguments) }
}

extension Program {
    /// Whether a selection has `@defer`, `@stream` or `@stream_connection`. The nesting limits of the parser and of
    /// `CheckExtent` bound the recursion.
    var hasIncrements: Bool {
        func areAsked(_ directives: [Directive]) -> Bool {
            directives.contains { Increment.directives.contains($0.name.text) }
        }
        func areAsked(_ selections: [TypedSelection]) -> Bool {
            selections.contains { selection in
                switch selection {
                case .field(let field): areAsked(field.directives) || areAsked(field.selections)
                case .inlineFragment(let inline): areAsked(inline.directives) || areAsked(inline.selections)
                case .spread(let spread): areAsked(spread.directives)
                }
            }
        }
        return operations.contains { areAsked($0.selections) } || fragments.contains { areAsked($0.selections) }
    }
}
