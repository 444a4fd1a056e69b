import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that an interface does not implement itself, directly or through others.
    ///
    /// Returns the types on cycles; other rules skip them.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Interfaces.Interfaces-Implementing-Interfaces
    mutating func checkInterfaceCycles() -> Set<TypeID> {
        let graph = ReferenceGraph(
            targets: types.indices.map { index in
                types[index].kind == .interface ? namedTypes[index].map { Int($0.id.index) } : []
            }
        )
        for cycle in graph.independentCycles() {
            guard let first = cycle.steps.first else { continue }
            let name = types[first.node].name.text
            let others = cycle.steps.dropFirst()
            report(
                .interfaceCycle,
                others.isEmpty
                    ? "interface '\(name)' cannot implement itself"
                    : "interface '\(name)' implements itself through \(names(of: cycle))",
                at: namedTypes[first.node][first.edge].span,
                notes: others.map { step in
                    let named = namedTypes[step.node][step.edge]
                    let target = types[Int(named.id.index)].name.text
                    return .init("'\(types[step.node].name.text)' implements '\(target)' here", at: named.span)
                }
            )
        }
        return Set(graph.cyclicComponents().joined().map { TypeID($0) })
    }

    /// The types of a cycle without the first one, for a message.
    func names(of cycle: ReferenceGraph.Cycle) -> String {
        let shown = cycle.steps.dropFirst().map { "'\(types[$0.node].name.text)'" }.joined(separator: ", ")
        let hidden = cycle.count - cycle.steps.count
        return hidden > 0 ? "\(shown) and \(hidden) more" : shown
    }
}
