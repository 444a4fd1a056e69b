import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Runs all transforms. Their order is defined here and nowhere else.
///
///     AliasSpreads ----> RefuseUnsupported, Check...
///        |
///        v
///     GenerateEdgeFragments
///        |
///        v
///     Unmask --> LabelIncrements --> GenerateRefetchQueries --> ProvideVariables
///        |
///        +--> SkipUnreachable --> MarkClientSelections --> SkipNullArguments --> ResolveConditions
///        |                           --> MoveConditionsOut --> Flatten(reading) ------------> reader plan
///        v
///     AddConnectionFields --> GenerateIDs --> ApplyFragmentArguments --> ReplaceUpdatableSpreads
///        |                           --> SkipUnreachable --> MarkClientSelections
///        |
///        +--> ResolveConditions --> Flatten(normalization) --> SkipRedundant --> LimitAges --> normalization plan
///        |                                                  +-----------------------> type of the raw response
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
    private let keys: KeyFields
    private let clientTypes: ClientTypes
    private var limitAges: LimitAges?
    /// The documents, with the fragments that connections make of their edges.
    package let program: Program
    package private(set) var diagnostics: [Diagnostic]

    /// The mistakes that documents make in the use of Relay's directives. What the compiler cannot carry out is none.
    ///
    /// The texts are those that would be sent; there are none after an error, and none if a directive is refused. The
    /// cost is that of all transforms.
    package static func judge(_ program: Program) -> (mistakes: [Diagnostic], texts: [OperationText]) {
        var pipeline = Pipeline(program, isJudging: true)
        pipeline.flattenAll()
        let mistakes = pipeline.diagnostics.filter { DiagnosticID.relayRules.contains($0.id) }
        if pipeline.diagnostics.hasErrors || RefuseUnsupported.check(program).hasErrors { return (mistakes, []) }
        let sent = pipeline.sent.operations.filter { !$0.isUpdatable }
        return (mistakes, sent.map(pipeline.texts.text))
    }

    /// Finds the mistakes that show in plans; after an error there are none.
    private mutating func flattenAll() {
        if diagnostics.hasErrors { return }
        for fragment in read.fragments { _ = reader(of: fragment) }
        for (shown, stored) in zip(read.operations, written.operations) {
            _ = reader(of: shown)
            if shown.isUpdatable { continue }
            _ = flatten(stored.selections, on: stored.type, .normalization, in: written, stored.span)
        }
    }

    /// Runs the transforms of single definitions. After an error, the results are incomplete.
    package init(_ documents: Program, ageLimits: AgeLimits = AgeLimits()) {
        self.init(documents, ageLimits: ageLimits, isJudging: false)
    }

    private init(_ documents: Program, ageLimits: AgeLimits = AgeLimits(), isJudging: Bool) {
        let aliased = AliasSpreads.apply(to: documents)
        schema = documents.schema
        limitAges = ageLimits.isEmpty ? nil : LimitAges(ageLimits, schema: documents.schema)
        keys = KeyFields(documents.schema)
        clientTypes = ClientTypes(documents.schema)
        diagnostics =
            keys.diagnostics + (isJudging ? [] : RefuseUnsupported.check(aliased) + CheckIdentity.check(aliased, keys))
            + CheckConnections.check(aliased) + CheckNullability.check(aliased)
            + CheckAliases.check(aliased) + CheckFieldMutations.check(aliased)
            + CheckUpdatables.check(aliased) + CheckAssignables.check(aliased)
            + CheckRequiredPaths.check(aliased) + CheckUncaughtFields.check(aliased)
            + CheckStaticArguments.check(aliased) + CheckRefetchable.check(aliased)
            + CheckNoInline.check(aliased) + CheckNullArguments.check(aliased)
        let masks = CheckMasks.check(aliased)
        let nothing = Program(schema: schema, operations: [], fragments: [])
        let split = GenerateEdgeFragments.apply(to: aliased)
        let program = split.program
        self.program = program
        diagnostics += split.diagnostics
        let hasStreams = program.hasStreamConnections
        let named = hasStreams ? LabelIncrements.nameConnections(in: program) : program
        let unmasked = Unmask.apply(to: masks.hasErrors ? nothing : named)
        var ids = GenerateIDs(schema: schema, keys: keys)
        let labelled = LabelIncrements.apply(to: unmasked.diagnostics.hasErrors ? nothing : unmasked.program, ids)
        let refetchable = GenerateRefetchQueries.apply(to: labelled.diagnostics.hasErrors ? nothing : labelled.program)
        let provided = ProvideVariables.apply(to: refetchable.program)

        let connections = AddConnectionFields(schema: schema, edgeFragments: split.names)
        let identified = connections.apply(to: GenerateRefetchQueries.identified(provided.program))
            .mapSelections { ids.transform($0) }
        let specialized = ApplyFragmentArguments.apply(to: identified)
        let copied = ReplaceUpdatableSpreads.apply(
            to: specialized.diagnostics.hasErrors ? nothing : specialized.program)
        let asked = SkipUnreachable.apply(to: copied)
        sent = MarkClientSelections.apply(to: asked.program)
        let conditions = ResolveConditions()
        let moved = MoveConditionsOut(emptied: asked.emptied.subtracting([.none]))
        let readable = hasStreams ? LabelIncrements.readable(provided.program) : provided.program
        let reached = MarkClientSelections.apply(
            to: SkipUnreachable.apply(to: readable).program, emptied: asked.emptied, without: ids)
        read = reached.mapSelections { moved.transform(conditions.resolve(SkipNullArguments().transform($0))) }
        diagnostics += asked.program.operations.filter { $0.kind == .query && $0.selections.isEmpty }.map { operation in
            let message = "'\(operation.name)' selects nothing, because no condition in it ever holds"
            return Diagnostic(.emptyOperation, message, at: operation.span, suggestion: "leave the operation out")
        }
        diagnostics += masks + unmasked.diagnostics + labelled.diagnostics + refetchable.diagnostics
        diagnostics += provided.diagnostics + specialized.diagnostics
        written = sent.mapSelections { conditions.resolve($0) }
        texts = OperationTexts(sent)
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

    /// The compiled operations but updatable queries, for which nothing is sent, in document order.
    package mutating func operations() -> [CompiledOperation] {
        guard !diagnostics.hasErrors else { return [] }
        return read.operations.indices.filter { !read.operations[$0].isUpdatable }.map { index in
            let operation = read.operations[index]
            let normalization = normalization(of: written.operations[index])
            let text = texts.text(of: sent.operations[index])
            if text.isEmpty, operation.kind != .query { reportNothingSent(operation) }
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
        for span in flatten.nullabilityConflicts {
            let message = "the field is selected here and elsewhere in the set with different '@required' or '@catch'"
            report(Diagnostic(.differentNullability, message, at: span, suggestion: "write the same at each place"))
        }
        for span in flatten.handleConflicts {
            let message = "the field has another key or other filters here than elsewhere in the same set"
            let suggestion = "write the same '@connection' at each place, or give one field an alias"
            report(Diagnostic(.invalidConnection, message, at: span, suggestion: suggestion))
        }
        for span in flatten.aliasConflicts {
            let message = "the set has another selection with the name of this alias"
            report(Diagnostic(.invalidAlias, message, at: span, suggestion: "choose another alias"))
        }
        for span in flatten.mutationConflicts {
            let message = "the field asks here for another change of the store than elsewhere in the same set"
            let suggestion = "write the same directive at each place, or give one field an alias"
            report(Diagnostic(.invalidFieldMutation, message, at: span, suggestion: suggestion))
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

    /// Only queries can be answered by the store alone.
    private mutating func reportNothingSent(_ operation: Operation) {
        report(
            Diagnostic(
                .nothingToSend, "the \(operation.kind.rawValue) '\(operation.name)' asks the server for nothing",
                at: operation.span, suggestion: "select a field of the server's schema, or update the store instead"))
    }

    private mutating func report(_ diagnostic: Diagnostic) {
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
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
