import BatonDiagnostics
import BatonIR
import BatonSchema

/// Runs all transforms. Their order is defined here and nowhere else.
///
///     Program ----> RefuseUnsupported
///        |
///        v
///     ResolveConditions
///        |
///        +---------------------> Flatten(reading) -------------------------> reader plan
///        v
///     SkipClientFields
///        |
///        v
///     GenerateIDs
///        |
///        +--> Flatten(normalization) --> SkipRedundant --> LimitAges ------> normalization plan
///        v
///     InlineSpreads
///        |
///        v
///     Flatten(text) --> SkipRedundant --> CollectVariables ---------------> network text
///
/// Transforms of a single fragment run once for each fragment, so the cost is linear in the documents and the output. A
/// normalization plan repeats the fragments that it inlines.
package struct Pipeline {
    private let schema: Schema
    private let written: Program
    private let resolved: Program
    private let asked: Program
    private let inlineSpreads: InlineSpreads
    private let texts: [String: FragmentText]
    private var limitAges: LimitAges?
    package private(set) var diagnostics: [Diagnostic]

    /// Runs the transforms of single definitions. After an error, the results are incomplete.
    package init(_ program: Program, ageLimits: AgeLimits = AgeLimits()) {
        schema = program.schema
        limitAges = ageLimits.isEmpty ? nil : LimitAges(ageLimits, schema: program.schema)
        written = program
        diagnostics = RefuseUnsupported.check(program)
        let conditions = ResolveConditions()
        let resolved = program.mapSelections { conditions.resolve($0) }
        let clientFields = SkipClientFields(schema: schema)
        var ids = GenerateIDs(schema: schema)
        let asked = resolved.mapSelections { ids.transform(clientFields.transform($0)) }
        self.resolved = resolved
        self.asked = asked
        inlineSpreads = InlineSpreads(asked.fragments, schema: schema)

        var flatten = Flatten(schema: schema, purpose: .text(inlining: [])) { asked.fragment(named: $0) }
        var texts: [String: FragmentText] = [:]
        for fragment in asked.fragments {
            let plan = SkipRedundant().transform(flatten.flatten(fragment.selections, on: fragment.type))
            texts[fragment.name] = FragmentText(fragment: fragment, selections: plan, schema: schema)
        }
        self.texts = texts
    }

    /// The compiled fragments, in document order.
    package mutating func fragments() -> [CompiledFragment] {
        resolved.fragments.map { fragment in
            let reader = flatten(fragment.selections, on: fragment.type, .reading, in: resolved, fragment.span)
            return CompiledFragment(fragment: fragment, reader: reader)
        }
    }

    /// The compiled operations, in document order.
    package mutating func operations() -> [CompiledOperation] {
        zip(resolved.operations, asked.operations).map { resolved, asked in
            CompiledOperation(
                operation: resolved,
                reader: flatten(resolved.selections, on: resolved.type, .reading, in: self.resolved, resolved.span),
                normalization: normalization(of: asked),
                text: text(of: asked)
            )
        }
    }

    private mutating func normalization(of operation: Operation) -> SelectionPlan {
        let flat = flatten(operation.selections, on: operation.type, .normalization, in: asked, operation.span)
        let plan = SkipRedundant().transform(flat)
        return limitAges?.transform(plan, of: operation) ?? plan
    }

    private mutating func text(of operation: Operation) -> OperationText {
        let inlined = inlineSpreads.inlined(into: operation.selections)
        let purpose = Flatten.Purpose.text(inlining: inlined)
        let flat = flatten(operation.selections, on: operation.type, purpose, in: asked, operation.span)
        let selections = SkipRedundant().transform(flat)
        var variables = CollectVariables(schema: schema)
        variables.visit(operation.directives)
        variables.visit(selections)
        var fragments: [FragmentText] = []
        var seen: Set<String> = []
        var pending: [String] = Array(FragmentText.spreads(in: selections).reversed())
        while let name = pending.popLast() {
            guard seen.insert(name).inserted, let text = texts[name] else { continue }
            fragments.append(text)
            pending += text.spreads.reversed()
        }
        let used = fragments.reduce(into: variables.names) { $0.formUnion($1.variables) }
        return OperationText(
            operation: operation,
            variables: operation.variables.filter { used.contains($0.name) },
            selections: selections,
            fragments: fragments
        )
    }

    private mutating func flatten(
        _ selections: [TypedSelection],
        on type: SchemaType,
        _ purpose: Flatten.Purpose,
        in program: Program,
        _ name: Span
    ) -> SelectionPlan {
        var flatten = Flatten(schema: schema, purpose: purpose) { program.fragment(named: $0) }
        let plan = flatten.flatten(selections, on: type)
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
    fileprivate func mapSelections(_ transform: ([TypedSelection]) -> [TypedSelection]) -> Program {
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
