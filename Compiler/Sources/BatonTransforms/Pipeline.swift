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
/// Transforms of a single fragment run once for each fragment, so the cost is linear in the documents and the output. A
/// normalization plan repeats the fragments that it inlines.
package struct Pipeline: Sendable {
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

    /// The places of what some copy of a fragment leaves out because its arguments switch off everything below. Only
    /// there does the reader of a fragment depend on the operations that reach it.
    package let emptied: Set<Span>
    /// The definitions whose plans are asked for; nil for all of them.
    private let wanted: DefinitionNames?

    /// The mistakes that documents make in the use of Relay's directives. What the compiler cannot carry out is none.
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
    ///
    /// - Parameter wanted: Limits the plans to these definitions. The program must have what they reach. The query that
    ///   a fragment asks for is one of the operations.
    package init(_ documents: Program, ageLimits: AgeLimits = AgeLimits(), wanted: DefinitionNames? = nil) {
        self.wanted = wanted
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

        emptied = asked.emptied.subtracting([.none])
        let moved = MoveConditionsOut(emptied: emptied)
        let readable = hasStreams ? LabelIncrements.readable(provided) : provided
        let reached = MarkClientSelections.apply(
            to: SkipUnreachable.apply(to: readable).program, emptied: asked.emptied, without: ids)
        read = reached.mapSelections { moved.transform(conditions.resolve(SkipNullArguments().transform($0))) }
    }

    /// The compiled fragments, in document order.
    package mutating func fragments(_ workers: Workers = .one) -> [CompiledFragment] {
        let refetch = RefetchMetadata.all(of: read)
        let fragments = read.fragments.filter { wanted?.fragments.contains($0.name) ?? true }
        return compile(fragments, workers) { pipeline, fragment in
            CompiledFragment(
                fragment: fragment, reader: pipeline.reader(of: fragment), refetch: refetch[fragment.name])
        }
    }

    /// The compiled updatable queries, in document order.
    package mutating func updatableQueries() -> [CompiledUpdatableQuery] {
        read.operations.filter { $0.isUpdatable && isWanted($0) }.map { operation in
            CompiledUpdatableQuery(operation: operation, reader: reader(of: operation))
        }
    }

    /// The compiled operations but updatable queries, for which nothing is sent, in document order.
    package mutating func operations(_ workers: Workers = .one) -> [CompiledOperation] {
        guard !diagnostics.hasErrors else { return [] }
        let indices = read.operations.indices.filter { index in
            !read.operations[index].isUpdatable && isWanted(read.operations[index])
        }
        return compile(indices, workers) { $0.operation(at: $1) }
    }

    private mutating func operation(at index: Int) -> CompiledOperation {
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

    /// Compiles definitions, each for itself. What a check finds may depend on what it found before, so that nothing is
    /// found by several workers: then one of them starts again.
    private mutating func compile<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ workers: Workers, _ body: @Sendable (inout Pipeline, Item) -> Result
    ) -> [Result] {
        if workers.count > 1 {
            let start = self
            let parts = workers.map(items) { items in
                var own = start
                let results = items.map { body(&own, $0) }
                return (results: results, hasFound: own.findings.count > start.findings.count)
            }
            if !parts.contains(where: \.hasFound) { return parts.flatMap(\.results) }
        }
        return items.map { body(&self, $0) }
    }

    private func isWanted(_ operation: Operation) -> Bool { wanted?.operations.contains(operation.name) ?? true }

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
