import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Runs all transforms. Their order is defined here and nowhere else.
///
///     Program ----> RefuseUnsupported
///        |
///        v
///     Unmask --> GenerateRefetchQueries
///        |
///        +--> SkipUnreachable --> MarkClientSelections --> SkipNullArguments --> ResolveConditions
///        |                                                 --> Flatten(reading) ------------> reader plan
///        v
///     AddConnectionFields --> GenerateIDs --> ApplyFragmentArguments --> SkipUnreachable --> MarkClientSelections
///        |
///        +--> ResolveConditions --> Flatten(normalization) --> SkipRedundant --> LimitAges --> normalization plan
///        v
///     TextBuilder --> FlattenText -----------------------------------------------------------> text
///
/// Transforms of a single fragment run once for each fragment, so the cost is linear in the documents and the output. A
/// normalization plan repeats the fragments that it inlines.
package struct Pipeline {
    private let schema: Schema
    private let read: Program
    private let sent: Program
    private let written: Program
    private let texts: OperationTexts
    private var limitAges: LimitAges?
    package private(set) var diagnostics: [Diagnostic]

    /// Runs the transforms of single definitions. After an error, the results are incomplete.
    package init(_ program: Program, ageLimits: AgeLimits = AgeLimits()) {
        schema = program.schema
        limitAges = ageLimits.isEmpty ? nil : LimitAges(ageLimits, schema: program.schema)
        diagnostics =
            RefuseUnsupported.check(program) + CheckConnections.check(program) + CheckNullability.check(program)
            + CheckAliases.check(program)
        let unmasked = Unmask.apply(to: program)
        let nothing = Program(schema: schema, operations: [], fragments: [])
        let refetchable = GenerateRefetchQueries.apply(
            to: unmasked.diagnostics.hasErrors ? nothing : unmasked.program)
        let conditions = ResolveConditions()
        let reached = MarkClientSelections.apply(to: SkipUnreachable.apply(to: refetchable.program))
        read = reached.mapSelections { conditions.resolve(SkipNullArguments().transform($0)) }

        let connections = AddConnectionFields(schema: schema)
        var ids = GenerateIDs(schema: schema)
        let identified = GenerateRefetchQueries.identified(refetchable.program)
            .mapSelections { ids.transform(connections.transform($0)) }
        let specialized = ApplyFragmentArguments.apply(to: identified)
        let copied = specialized.diagnostics.hasErrors ? nothing : specialized.program
        sent = MarkClientSelections.apply(to: SkipUnreachable.apply(to: copied))
        diagnostics += unmasked.diagnostics + refetchable.diagnostics + specialized.diagnostics
        written = sent.mapSelections { conditions.resolve($0) }
        texts = OperationTexts(sent)
    }

    /// The compiled fragments, in document order.
    package mutating func fragments() -> [CompiledFragment] {
        read.fragments.map { fragment in
            let reader = flatten(
                fragment.selections, on: fragment.type, .reading, in: read, fragment.span, fragment.directives)
            return CompiledFragment(fragment: fragment, reader: reader)
        }
    }

    /// The compiled operations, in document order.
    package mutating func operations() -> [CompiledOperation] {
        if diagnostics.hasErrors { return [] }
        return read.operations.indices.map { index in
            let operation = read.operations[index]
            return CompiledOperation(
                operation: operation,
                reader: flatten(
                    operation.selections, on: operation.type, .reading, in: read, operation.span,
                    operation.directives),
                normalization: normalization(of: written.operations[index]),
                text: texts.text(of: sent.operations[index])
            )
        }
    }

    private mutating func normalization(of operation: Operation) -> SelectionPlan {
        let flat = flatten(operation.selections, on: operation.type, .normalization, in: written, operation.span)
        let plan = SkipRedundant().transform(flat)
        return limitAges?.transform(plan, of: operation) ?? plan
    }

    private mutating func flatten(
        _ selections: [TypedSelection],
        on type: SchemaType,
        _ purpose: Flatten.Purpose,
        in program: Program,
        _ name: Span,
        _ directives: [Directive] = []
    ) -> SelectionPlan {
        var flatten = Flatten(schema: schema, purpose: purpose) { program.fragment(named: $0) }
        let plan = flatten.flatten(selections, on: type, directives: directives)
        for span in flatten.nullabilityConflicts {
            let message = "the field is selected here and elsewhere in the set with different '@required' or '@catch'"
            report(Diagnostic(.differentNullability, message, at: span, suggestion: "write the same at each place"))
        }
        for span in flatten.handleConflicts {
            let message = "the field has another key or other filters here than elsewhere in the same set"
            let suggestion = "write the same '@connection' at each place, or give one field an alias"
            report(Diagnostic(.invalidConnection, message, at: span, suggestion: suggestion))
        }
        if let span = flatten.tooDeep {
            let message = "selections nest deeper than \(Flatten.depthLimit) levels when fragments are followed"
            report(Diagnostic(.selectionDepth, message, at: span == .none ? name : span))
        }
        if flatten.isTooLarge {
            let message = "this selects more than \(Flatten.sizeLimit) fields when fragments are followed"
            report(Diagnostic(.selectionSize, message, at: name))
        }
        return plan
    }

    private mutating func report(_ diagnostic: Diagnostic) {
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
}

extension Program {
    func mapSelections(_ transform: ([TypedSelection]) -> [TypedSelection]) -> Program {
        Program(
            schema: schema,
            operations: operations.map { operation in
                var operation = operation
                operation.selections = transform(operation.selections)
                return operation
            },
            fragments: fragments.map { fragment in
                var fragment = fragment
                fragment.selections = transform(fragment.selections)
                return fragment
            }
        )
    }
}
