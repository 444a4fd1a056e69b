import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Consecutive definitions, either operations or fragments, by their numbers in the table.
private struct Part: Sendable {
    let areFragments: Bool
    let range: Range<Int>
}

/// The results of visiting a part.
private struct VisitedPart: Sendable {
    let part: Part
    let facts: [DefinitionFacts]
    let selections: SelectionTable
    let diagnostics: [Diagnostic]
    let unknownSpreads: [UnknownSpread.Key: UnknownSpread]
    let unknownFragmentArguments: [UnknownFragmentArgument]
    let excusedFragments: Set<String>
    let excusedArguments: [Int: Set<String>]
    let hasIncrementalDelivery: Bool
}

extension Traversal {
    /// The number of definitions in a part. Each part has its own budget for spellings, so that the results do not
    /// depend on the number of workers.
    private static let partSize = 128

    /// Visits every definition once. The workers share the parts; their results are joined in the order of the table.
    /// Benchmark: `validate.two-cores`.
    func visitDefinitions(_ workers: Workers) {
        let (schema, settings) = (schema, settings)
        let definitions = definitions
        let parts =
            Self.parts(definitions.operations.count, areFragments: false)
            + Self.parts(definitions.fragments.count, areFragments: true)
        let visited = workers.map(parts, weight: \.range.count) { parts in
            parts.map { part in
                Spelling.withBudget {
                    Traversal(schema: schema, settings: settings, definitions: definitions).visit(part)
                }
            }
        }
        for part in visited.joined() { take(part) }
    }

    private static func parts(_ count: Int, areFragments: Bool) -> [Part] {
        stride(from: 0, to: count, by: partSize).map { start in
            Part(areFragments: areFragments, range: start..<min(count, start + partSize))
        }
    }

    private func visit(_ part: Part) -> VisitedPart {
        let facts = part.range.map { part.areFragments ? visitFragment($0) : visitOperation($0) }
        return VisitedPart(
            part: part,
            facts: facts,
            selections: definitions.selections,
            diagnostics: diagnostics,
            unknownSpreads: unknownSpreads,
            unknownFragmentArguments: unknownFragmentArguments,
            excusedFragments: excusedFragments,
            excusedArguments: excusedArguments,
            hasIncrementalDelivery: definitions.hasIncrementalDelivery
        )
    }

    private func take(_ visited: VisitedPart) {
        let offset = definitions.selections.append(visited.selections)
        for (index, facts) in zip(visited.part.range, visited.facts) {
            var facts = facts
            if facts.root >= 0 { facts.root += offset }
            if visited.part.areFragments {
                definitions.note(facts, of: index)
            } else {
                definitions.operations[index].facts = facts
            }
        }
        diagnostics += visited.diagnostics
        unknownSpreads.merge(visited.unknownSpreads) { first, second in
            UnknownSpread(diagnostic: first.diagnostic, spans: first.spans + second.spans)
        }
        unknownFragmentArguments += visited.unknownFragmentArguments
        excusedFragments.formUnion(visited.excusedFragments)
        excusedArguments.merge(visited.excusedArguments) { $0.union($1) }
        definitions.hasIncrementalDelivery = definitions.hasIncrementalDelivery || visited.hasIncrementalDelivery
    }
}
