import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Makes the texts of requests, in the form that Relay's compiler gives them.
///
/// A fragment is made once for all operations. The cost is linear in the output.
package struct OperationTexts: Sendable {
    private let schema: Schema
    private let builder: TextBuilder
    private let flatten: FlattenText
    private let fragments: [String: FragmentText]

    /// Prepares the fragments of a program on which `MarkClientSelections` has run.
    package init(_ program: Program) {
        schema = program.schema
        flatten = FlattenText(schema: program.schema)
        builder = TextBuilder(schema: program.schema)
        var fragments: [String: FragmentText] = [:]
        for fragment in program.fragments {
            let flat = flatten.flatten(builder.fragment(fragment), on: fragment.type)
            fragments[fragment.name] = FragmentText(fragment, flat, schema: program.schema)
        }
        self.fragments = fragments
    }

    /// The text of an operation of the program.
    package func text(of operation: Operation) -> OperationText {
        let built = builder.selections(operation.selections, on: operation.type)
        let selections = flatten.flatten(built, on: operation.type)
        var used: Set<String> = []
        selections.forEachVariable { used.insert($0) }
        for directive in operation.directives where schema.sends(directive) {
            for argument in directive.arguments { argument.value.forEachVariable { used.insert($0.name) } }
        }
        var reached: [FragmentText] = []
        var seen: Set<String> = []
        var pending = selections.spreads
        while let name = pending.popLast() {
            guard seen.insert(name).inserted, let text = fragments[name] else { continue }
            reached.append(text)
            used.formUnion(text.variables)
            pending += text.spreads
        }
        return OperationText(
            operation: operation,
            variables: (operation.variables + operation.provided.map(\.declaration)).filter { used.contains($0.name) },
            selections: selections,
            fragments: reached.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        )
    }
}

extension ProvidedVariable {
    fileprivate var declaration: OperationVariable {
        OperationVariable(name: name, type: type, defaultValue: nil, directives: [], description: nil, span: span)
    }
}
