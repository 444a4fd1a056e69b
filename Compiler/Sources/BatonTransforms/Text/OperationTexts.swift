import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// The text of a request as selections: an operation and the fragments that it reaches.
package struct OperationText: Sendable {
    package let operation: Operation
    /// The used variables in declaration order, then those whose values a provider gives.
    package let variables: [OperationVariable]
    package let selections: [TextSelection]
    /// The fragments in the byte order of their names.
    package let fragments: [FragmentText]

    /// Whether no server is asked for anything, so that there is no text.
    package var isEmpty: Bool { selections.isEmpty }
}

/// A fragment in the texts of all operations that reach it.
package final class FragmentText: Sendable {
    package let name: String
    package let type: SchemaType
    package let directives: [Directive]
    package let selections: [TextSelection]
    /// The place of the name in the document.
    package let span: Span
    /// The name in the documents, which copies for arguments share.
    package let writtenName: String
    /// The place of the first spread that passes the arguments of a copy; none if the fragment is no copy.
    package let copiedAt: Span
    /// The variables that the fragment itself uses.
    let variables: Set<String>
    /// The fragments that the fragment itself spreads, in order.
    let spreads: [String]

    init(_ fragment: Fragment, _ selections: [TextSelection], schema: Schema) {
        name = fragment.name
        type = fragment.type
        directives = fragment.directives.filter(schema.sends)
        self.selections = selections
        span = fragment.span
        writtenName = fragment.writtenName ?? fragment.name
        copiedAt = fragment.copiedAt
        var variables: Set<String> = []
        selections.forEachVariable { variables.insert($0) }
        for directive in directives {
            for argument in directive.arguments { argument.value.forEachVariable { variables.insert($0.name) } }
        }
        self.variables = variables
        spreads = selections.spreads
    }
}

/// Makes the texts that are sent, in the form that Relay's compiler gives them.
///
/// A fragment is made once for all operations. The cost is linear in the output.
package struct OperationTexts {
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
    /// The variable as the text declares it.
    fileprivate var declaration: OperationVariable {
        OperationVariable(name: name, type: type, defaultValue: nil, directives: [], description: nil, span: span)
    }
}
