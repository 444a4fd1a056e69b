import BatonIR
import BatonSyntax

/// Turns `@skip` and `@include` into conditions, and removes selections that can never apply.
///
/// Before:
///
///     { hero @include(if: $a) { name } ... @skip(if: true) { rank } ... @include(if: $b) @skip(if: $c) { age } }
///
/// After, with the condition in brackets:
///
///     { [a] hero { name } ... { [b & !c] age } }
///
/// Runs before `MoveConditionsOut` and `Flatten`, which use conditions and do not know the two directives.
package struct ResolveConditions {
    package init() {}

    package func resolve(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.compactMap(resolve)
    }

    private func resolve(_ selection: TypedSelection) -> TypedSelection? {
        switch selection {
        case .field(var field):
            guard let condition = take(from: &field.directives) else { return nil }
            field.condition = condition
            field.selections = resolve(field.selections)
            return .field(field)
        case .inlineFragment(var inline):
            guard let condition = take(from: &inline.directives) else { return nil }
            inline.condition = condition
            inline.selections = resolve(inline.selections)
            return .inlineFragment(inline)
        case .spread(var spread):
            guard let condition = take(from: &spread.directives) else { return nil }
            spread.condition = condition
            return .spread(spread)
        }
    }

    /// Removes the two directives and returns their condition; nil if it is never true.
    private func take(from directives: inout [Directive]) -> Conjunction? {
        if directives.isEmpty { return .always }
        var result: Conjunction? = .always
        directives.removeAll { directive in
            let isSkip = directive.name.text == "skip"
            guard isSkip || directive.name.text == "include", let value = directive.argument("if") else { return false }
            switch value {
            case .boolean(let literal):
                if literal.isTrue == isSkip { result = nil }
            case .variable(let variable):
                let literal = Conjunction.Literal(variable: variable.name, isNegated: isSkip)
                result = result?.and(Conjunction(literal))
            default: break
            }
            return true
        }
        return result
    }
}
