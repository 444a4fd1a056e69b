import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The definition of a variable in an operation.
struct OperationVariable {
    /// The place of the name in the definition.
    let span: Span
    let defaultValue: Value?
    /// The type; nil if it is unknown or not an input type.
    let type: TypeReference?
    var isUsed = false
}

extension Traversal {
    /// Follows every operation through the fragments that it reaches, and calls the rules about variables at each use.
    func followVariables() {
        var lastVisit = [Int](repeating: -1, count: definitions.fragments.count)
        let matters = fragmentsThatMatter()
        operations: for index in definitions.operations.indices where !definitions.operations[index].definition.isBroken
        {
            let operation = definitions.operations[index]
            var variables: [String: OperationVariable] = [:]
            for definition in operation.definition.variables where variables[definition.name.text] == nil {
                variables[definition.name.text] = OperationVariable(
                    span: definition.name.span,
                    defaultValue: definition.defaultValue,
                    type: inputType(of: definition)
                )
            }
            excusedVariables = operation.facts.bareWords
            undefined.beginOperation()
            follow(operation.facts.usages, in: index, fragment: nil, &variables)
            var isKnown = !operation.facts.hasUnknownSpread
            var pending = Array(operation.facts.spreads.map(\.fragment).reversed())
            while let fragment = pending.popLast() {
                if lastVisit[fragment] == index || !matters[fragment] { continue }
                lastVisit[fragment] = index
                excusedVariables.formUnion(definitions.fragments[fragment].facts.bareWords)
                if definitions.fragments[fragment].facts.hasUnknownSpread
                    || definitions.fragments[fragment].definition.isBroken || definitions.duplicates.contains(fragment)
                {
                    isKnown = false
                }
                let usages = definitions.fragments[fragment].facts.usages
                let spreads = definitions.fragments[fragment].facts.spreads
                guard mayFollow(operation.definition, steps: 1 + usages.count + spreads.count) else { break operations }
                follow(usages, in: index, fragment: fragment, &variables)
                for spread in spreads.reversed() { pending.append(spread.fragment) }
            }
            // An unknown or broken fragment may use the remaining variables.
            guard isKnown else { continue }
            let followed = FollowedOperation(operation: operation, variables: variables, excused: excusedVariables)
            for case .variablesOfOperation(let look) in rules.variablesOfOperation { look(self, followed) }
        }
        diagnostics += undefined.diagnostics
    }

    private func follow(
        _ usages: [VariableUsage], in operation: Int, fragment: Int?, _ variables: inout [String: OperationVariable]
    ) {
        for usage in usages {
            let name = usage.variable.name
            let variable = variables[name]
            if variable?.isUsed == false { variables[name]?.isUsed = true }
            let use = VariableUse(
                usage: usage, operation: operation, fragment: fragment, variable: variable, variables: variables)
            for case .variableUse(let look) in rules.variableUse { look(self, use) }
        }
    }

    /// The type of a variable; nil if it is unknown or not an input type.
    func inputType(of variable: VariableDefinition) -> TypeReference? {
        schema.resolve(variable.type).flatMap { schema.namedType(of: $0).isInput ? $0 : nil }
    }

    /// For each fragment, whether the fragment, or a fragment that it reaches, may use a variable of the operation.
    private func fragmentsThatMatter() -> [Bool] {
        var uses = definitions.fragments.indices.map { index in
            !definitions.fragments[index].facts.usages.isEmpty || definitions.fragments[index].facts.hasUnknownSpread
                || !definitions.fragments[index].facts.bareWords.isEmpty
                || definitions.fragments[index].definition.isBroken
                || definitions.duplicates.contains(index)
        }
        var users: [[Int]] = Array(repeating: [], count: uses.count)
        for index in definitions.fragments.indices {
            for spread in definitions.fragments[index].facts.spreads { users[spread.fragment].append(index) }
        }
        var pending = uses.indices.filter { uses[$0] }
        while let index = pending.popLast() {
            for user in users[index] where !uses[user] {
                uses[user] = true
                pending.append(user)
            }
        }
        return uses
    }
}
