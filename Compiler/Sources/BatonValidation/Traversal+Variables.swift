import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// What an operation says of one of its variables.
struct OperationVariable {
    /// The name in the definition.
    let span: Span
    let defaultValue: Value?
    /// Nil if the type is unknown or no input type.
    let type: TypeReference?
    var isUsed = false
}

extension Traversal {
    /// Follows every operation through the fragments that it reaches and asks the rules about variables at each use.
    func checkVariables() {
        var lastVisit = [Int](repeating: -1, count: definitions.fragments.count)
        let matters = fragmentsThatMatter()
        var undefined = UndefinedVariables()
        operations: for index in definitions.operations.indices where !definitions.operations[index].definition.isBroken
        {
            let operation = definitions.operations[index]
            var variables: [String: OperationVariable] = [:]
            for definition in operation.definition.variables where variables[definition.name.text] == nil {
                let type = schema.resolve(definition.type)
                variables[definition.name.text] = OperationVariable(
                    span: definition.name.span,
                    defaultValue: definition.defaultValue,
                    type: type.flatMap { schema.namedType(of: $0).isInput ? $0 : nil }
                )
            }
            var excused = operation.facts.bareWords
            undefined.beginOperation()
            check(operation.facts.usages, in: operation, fragment: nil, &variables, &undefined, &excused)
            var isKnown = !operation.facts.hasUnknownSpread
            var pending = Array(operation.facts.spreads.map(\.fragment).reversed())
            while let fragment = pending.popLast() {
                if lastVisit[fragment] == index || !matters[fragment] { continue }
                lastVisit[fragment] = index
                excused.formUnion(definitions.fragments[fragment].facts.bareWords)
                if definitions.fragments[fragment].facts.hasUnknownSpread
                    || definitions.fragments[fragment].definition.isBroken || definitions.duplicates.contains(fragment)
                {
                    isKnown = false
                }
                let usages = definitions.fragments[fragment].facts.usages
                let spreads = definitions.fragments[fragment].facts.spreads
                guard mayFollow(operation.definition, steps: 1 + usages.count + spreads.count) else { break operations }
                check(usages, in: operation, fragment: fragment, &variables, &undefined, &excused)
                for spread in spreads.reversed() { pending.append(spread.fragment) }
            }
            // What could not be read or found may use the rest.
            if isKnown { checkVariablesUsed(operation, variables, excused: excused) }
        }
        diagnostics += undefined.diagnostics
        undefinedUses = undefined.uses
    }

    private func check(
        _ usages: [VariableUsage],
        in operation: OperationFacts,
        fragment: Int?,
        _ variables: inout [String: OperationVariable],
        _ undefined: inout UndefinedVariables,
        _ excused: inout Set<String>
    ) {
        for usage in usages {
            let name = usage.variable.name
            guard let variable = variables[name] else {
                let facts = fragment.map { definitions.fragments[$0] }
                // An argument that could not be read may have this name.
                if facts?.mayDeclareMore == true { continue }
                let meant = undefined.add(usage, in: operation, fragment: facts, variables.keys)
                excused.formUnion(meant)
                if let fragment {
                    excusedArguments[fragment, default: []].formUnion(meant)
                    undefinedInFragments.insert(UnknownFragmentArgument.Key(fragment: fragment, name: name))
                }
                continue
            }
            if !variable.isUsed { variables[name]?.isUsed = true }
            if let type = variable.type {
                checkUsageIsAllowed(
                    usage,
                    type: type,
                    defaultValue: variable.defaultValue,
                    definedAt: variable.span
                )
            }
        }
    }

    /// For each fragment, whether it or a fragment that it reaches uses a variable of the operation's, or may do so.
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
