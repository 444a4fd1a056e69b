import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Runs all transforms, and the checks of the documents and of the results. The order is defined here and nowhere else.
///
///     AliasSpreads [written]
///        |
///        v
///     GenerateEdgeFragments
///        |
///        v
///     Unmask [unmasked] --> LabelIncrements --> GenerateRefetchQueries [refetched] --> ProvideVariables
///        |
///        +--> SkipUnreachable --> MarkClientSelections --> SkipNullArguments --> ResolveConditions
///        |                           --> MoveConditionsOut --> Flatten(reading) [plan] -----> reader plan
///        v
///     AddConnectionFields --> GenerateIDs --> ApplyFragmentArguments [copied] --> ReplaceUpdatableSpreads
///        |                           --> SkipUnreachable [asked] --> MarkClientSelections
///        |
///        +--> ResolveConditions --> Flatten(normalization) [plan] --> SkipRedundant --> type of the raw response
///        |                                                                |
///        |                                                                +--> LimitAges --> normalization plan
///        v
///     TextBuilder --> FlattenText [text] ----------------------------------------------------> text
///
/// The brackets name the forms of the documents for the checks (`DocumentCheck.Look`).
///
/// Transforms of a single fragment run once for each fragment, so that the cost is linear in the documents and the
/// output. A normalization plan repeats the fragments that it inlines.
package struct Pipeline {
    private let schema: Schema
    private let read: Program
    private let sent: Program
    private let written: Program
    private let texts: OperationTexts
    private let keys: KeyFields
    private let clientTypes: ClientTypes
    private var limitAges: LimitAges?
    private var findings = Findings()
    /// The documents, with the fragments that `GenerateEdgeFragments` has made.
    package let program: Program

    /// The diagnostics of all checks so far. After an error, the results are incomplete.
    package var diagnostics: [Diagnostic] { findings.all }

    /// The mistakes in the use of Relay's directives. Features that the compiler does not support are not among them.
    ///
    /// The texts are those of the requests. There are no texts after an error, or if a directive is refused. The cost
    /// is that of all transforms.
    package static func judge(_ program: Program) -> (mistakes: [Diagnostic], texts: [OperationText]) {
        var pipeline = Pipeline(program)
        pipeline.flattenAll()
        let mistakes = pipeline.findings.mistakes
        if pipeline.diagnostics.hasErrors { return (mistakes, []) }
        let sent = pipeline.sent.operations.filter { !$0.isUpdatable }
        return (mistakes, sent.map(pipeline.texts.text))
    }

    /// Finds the mistakes that show in plans. After an earlier error, no plans are made.
    private mutating func flattenAll() {
        if findings.forbidPlans { return }
        for fragment in read.fragments { _ = reader(of: fragment) }
        for (shown, stored) in zip(read.operations, written.operations) {
            _ = reader(of: shown)
            if shown.isUpdatable { continue }
            _ = flatten(stored.selections, on: stored.type, .normalization, in: written, stored.span)
        }
    }

    /// Checks documents, and runs the transforms of single definitions.
    ///
    /// A transform runs if the checks on which it relies have found no error. Other transforms run without it, so that
    /// one mistake hides no other.
    package init(_ documents: Program, ageLimits: AgeLimits = AgeLimits()) {
        schema = documents.schema
        limitAges = ageLimits.isEmpty ? nil : LimitAges(ageLimits, schema: documents.schema)
        keys = KeyFields(documents.schema)
        clientTypes = ClientTypes(documents.schema)
        let nothing = Program(schema: schema, operations: [], fragments: [])
        let aliased = AliasSpreads.apply(to: documents)
        findings.check(written: CheckedProgram(program: aliased, keys: keys))

        let isSplit = findings.passed(.connections, .edgeFragments)
        let split = isSplit ? GenerateEdgeFragments.apply(to: aliased) : (program: aliased, names: [])
        program = split.program
        let hasStreams = program.hasStreamConnections
        let named = hasStreams ? LabelIncrements.nameConnections(in: program) : program
        let unmasked = findings.passed(.masks, .extent) ? Unmask.apply(to: named) : nothing
        findings.check(unmasked: CheckedProgram(program: unmasked, keys: keys))

        let labelled = findings.passed(.increments) ? LabelIncrements.apply(to: unmasked) : nothing
        var refetched = findings.passed(.refetchable) ? GenerateRefetchQueries.apply(to: labelled) : labelled
        findings.check(refetched: refetched)
        if !findings.passed(.refetchable) { refetched = labelled }
        let provided = findings.passed(.providers) ? ProvideVariables.apply(to: refetched) : refetched

        var ids = GenerateIDs(schema: schema, keys: keys)
        let connections = AddConnectionFields(schema: schema, edgeFragments: split.names)
        let identified = connections.apply(to: GenerateRefetchQueries.identified(provided))
            .mapSelections { ids.transform($0) }
        let specialized = ApplyFragmentArguments.apply(to: identified)
        findings.check(copied: specialized)

        let isCopied = findings.passed(.nullArguments, .extent)
        let asked = SkipUnreachable.apply(
            to: ReplaceUpdatableSpreads.apply(to: isCopied ? specialized.program : nothing))
        findings.check(asked: asked.program)
        sent = MarkClientSelections.apply(to: asked.program)
        let conditions = ResolveConditions()
        written = sent.mapSelections { conditions.resolve($0) }
        texts = OperationTexts(sent)

        let moved = MoveConditionsOut(emptied: asked.emptied.subtracting([.none]))
        let readable = hasStreams ? LabelIncrements.readable(provided) : provided
        let reached = MarkClientSelections.apply(
            to: SkipUnreachable.apply(to: readable).program, emptied: asked.emptied, without: ids)
        read = reached.mapSelections { moved.transform(conditions.resolve(SkipNullArguments().transform($0))) }
    }

    /// The compiled fragments, in document order.
    package mutating func fragments() -> [CompiledFragment] {
        let refetch = RefetchMetadata.all(of: read)
        return read.fragments.map { fragment in
            CompiledFragment(fragment: fragment, reader: reader(of: fragment), refetch: refetch[fragment.name])
        }
    }

    /// The compiled updatable queries, in document order.
    package mutating func updatableQueries() -> [CompiledUpdatableQuery] {
        read.operations.filter(\.isUpdatable).map { operation in
            CompiledUpdatableQuery(operation: operation, reader: reader(of: operation))
        }
    }

    /// The compiled operations in document order, without updatable queries, which are never sent.
    package mutating func operations() -> [CompiledOperation] {
        guard !diagnostics.hasErrors else { return [] }
        return read.operations.indices.filter { !read.operations[$0].isUpdatable }.map { index in
            let operation = read.operations[index]
            let normalization = normalization(of: written.operations[index])
            let text = texts.text(of: sent.operations[index])
            findings.check(text: text)
            return CompiledOperation(
                operation: operation,
                reader: reader(of: operation),
                normalization: limitAges?.transform(normalization, of: written.operations[index]) ?? normalization,
                text: text,
                rawResponse: operation.directives.named("raw_response_type") == nil ? nil : normalization
            )
        }
    }

    private mutating func reader(of fragment: Fragment) -> SelectionPlan {
        flatten(fragment.selections, on: fragment.type, .reading, in: read, fragment.span, fragment.directives)
    }

    private mutating func reader(of operation: Operation) -> SelectionPlan {
        flatten(operation.selections, on: operation.type, .reading, in: read, operation.span, operation.directives)
    }

    private mutating func normalization(of operation: Operation) -> SelectionPlan {
        let flat = flatten(operation.selections, on: operation.type, .normalization, in: written, operation.span)
        var plan = SkipRedundant().transform(flat)
        plan.keys = keys.met(in: plan)
        return plan
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
        var plan = flatten.flatten(selections, on: type, directives: directives)
        plan.clientTypes = clientTypes.met(in: plan)
        findings.check(plan: flatten, of: name)
        return plan
    }
}

extension Program {
    /// Whether a field of the program has `@stream_connection`.
    fileprivate var hasStreamConnections: Bool {
        (operations.map(\.selections) + fragments.map(\.selections)).contains { selections in
            TypedSelection.hasField(in: selections) { $0.directives.named("stream_connection") != nil }
        }
    }
}
