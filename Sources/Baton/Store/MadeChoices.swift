/// The variables and arguments that select the given fields of a fragment's data that was made by hand. They make the
/// conditions of these fields hold. Every other argument has its default.
struct MadeChoices {
    /// A fragment whose data is examined.
    final class Scope {
        private let declared: Set<String>
        /// The spread of the fragment; nil for the outermost fragment, whose arguments may be chosen.
        private let spread: (arguments: [SelectionPlan.Argument], scope: Scope)?

        init(
            declared: [SelectionPlan.Variable], spread: (arguments: [SelectionPlan.Argument], scope: Scope)? = nil
        ) {
            self.declared = Set(declared.map(\.name))
            self.spread = spread
        }

        /// Returns the variable of the operation, or the argument of the outermost fragment, whose value a name in the
        /// fragment has; nil if the spreads leave no choice.
        func origin(of name: String) -> (name: String, isArgument: Bool)? {
            guard declared.contains(name) else { return (name, false) }
            guard let spread else { return (name, true) }
            guard case .variable(let outer)? = spread.arguments.first(where: { $0.name == name })?.value else {
                return nil
            }
            return spread.scope.origin(of: outer)
        }
    }

    private var variables: [String: JSONValue] = [:]
    private var arguments: [String: JSONValue] = [:]

    /// The variables of the operation, sorted by name.
    var sentVariables: [JSONValue.Member] {
        variables.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
    }

    /// The arguments that are passed to the outermost fragment.
    var passedArguments: FragmentArguments? {
        arguments.isEmpty ? nil : FragmentArguments(arguments.mapValues { .some($0) })
    }

    /// Chooses values that select the given fields. The recursion is bounded by the depth of the plans and by the
    /// nesting of the data.
    mutating func choose(_ row: GeneratedCode.Row, _ items: [SelectionPlan.Item], in scope: Scope) {
        for (field, item) in items.enumerated() where field < row.itemCount {
            let shown = row.shown(at: field)
            if case .nothing = shown { continue }
            for literal in item.condition?.alternatives.first ?? [] {
                guard let (name, isArgument) = scope.origin(of: literal.variable) else { continue }
                let value = JSONValue.bool(!literal.isNegated)
                if isArgument { arguments[name] = value } else { variables[name] = value }
            }
            switch (item.kind, shown) {
            case (.field(let field), .object(let row)): choose(row, field.selections, in: scope)
            case (.field(let field), .objects(let list)): choose(list, field.selections, in: scope)
            case (.inline(_, let items), .object(let row)): choose(row, items, in: scope)
            case (.spread(_, let arguments, _), .reference):
                if let made = row.reference(field).made, case .success(let plan) = made.fragment.reader.plan {
                    let inner = Scope(declared: plan.variables, spread: (arguments, scope))
                    choose(made.data, plan.items, in: inner)
                }
            default: break
            }
        }
    }

    private mutating func choose(_ list: GeneratedCode.RowList, _ items: [SelectionPlan.Item], in scope: Scope) {
        for element in list.shownElements {
            switch element {
            case .null: break
            case .object(let row): choose(row, items, in: scope)
            case .list(let list): choose(list, items, in: scope)
            }
        }
    }
}
