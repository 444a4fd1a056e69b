import BatonIR
import BatonSchema
import BatonSyntax

/// Collects the variables that selections use, so that the text declares only these.
///
/// Before:
///
///     query Q($a: Int, $b: Int, $c: Boolean) {
///       hero(rank: $a) { name } ... @include(if: false) { villain(rank: $b) { name } }
///       droids @note(if: $c) { name }
///     }
///
/// After:
///
///     query Q($a: Int) { hero(rank: $a) { name } droids { name } }
///
/// A directive that is not sent uses no variables.
///
/// Runs last, because `ResolveConditions` or `SkipClientFields` may remove the only use of a variable. The generated
/// Swift keeps all variables.
package struct CollectVariables {
    package private(set) var names: Set<String> = []

    private let schema: Schema

    package init(schema: Schema) {
        self.schema = schema
    }

    package mutating func visit(_ plan: SelectionPlan) {
        for item in plan.items {
            switch item {
            case .field(let field):
                visit(field.condition)
                for argument in field.arguments { visit(argument.value) }
                visit(field.directives)
                if let selections = field.selections { visit(selections) }
            case .inline(let inline):
                visit(inline.condition)
                visit(inline.directives)
                visit(inline.selections)
            case .spread(let spread):
                visit(spread.condition)
                visit(spread.directives)
            }
        }
    }

    package mutating func visit(_ directives: [Directive]) {
        for directive in directives where schema.sends(directive) {
            for argument in directive.arguments { visit(argument.value) }
        }
    }

    private mutating func visit(_ condition: Condition) {
        for conjunction in condition.alternatives {
            for literal in conjunction.literals { names.insert(literal.variable) }
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ value: Value) {
        switch value {
        case .variable(let variable): names.insert(variable.name)
        case .list(let list): for value in list.values { visit(value) }
        case .object(let object): for field in object.fields { visit(field.value) }
        case .int, .float, .string, .boolean, .null, .enum: break
        }
    }
}
