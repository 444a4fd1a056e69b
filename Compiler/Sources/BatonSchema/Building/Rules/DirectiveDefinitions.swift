import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that a directive is not used in its own definition, on the types of its arguments, or on definitions to
    /// which these types refer.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Type-System.Directives.Type-Validation
    mutating func checkDirectivesDoNotReferToThemselves() {
        // The nodes are all types, and then all directives. Only definitions that an argument can lead to have edges.
        let drafts = directiveOrder.compactMap { definitionDirectives[$0] ?? directives[$0] }
        let numbers = Dictionary(
            drafts.enumerated().map { ($1.definition.name.text, types.count + $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var references = types.map { self.references(of: $0, numbers) }
        for draft in drafts {
            if draft.origin.isPredeclared {
                references.append([])
            } else {
                references.append(
                    self.references(of: draft.definition.directives, numbers)
                        + self.references(of: draft.definition.arguments, numbers)
                )
            }
        }
        let graph = ReferenceGraph(targets: references.map { $0.map(\.target) })
        for component in graph.cyclicComponents() {
            guard let node = component.first(where: { $0 >= types.count }),
                let cycle = graph.shortestCycle(through: node, in: Set(component)), let first = cycle.steps.first
            else { continue }
            let name = drafts[node - types.count].definition.name.text
            func describe(_ node: Int) -> String {
                node < types.count
                    ? "'\(types[node].name.text)'" : "'@\(drafts[node - types.count].definition.name.text)'"
            }
            let others = cycle.steps.dropFirst()
            let through = others.map { describe($0.node) }.joined(separator: ", ")
            report(
                .directiveCycle,
                others.isEmpty
                    ? "directive '@\(name)' cannot be used in its own definition"
                    : "directive '@\(name)' refers to itself through \(through)",
                at: references[first.node][first.edge].span,
                notes: others.map { step in
                    let reference = references[step.node][step.edge]
                    return .init(
                        "\(describe(step.node)) refers to \(describe(reference.target)) here", at: reference.span)
                }
            )
        }
    }

    private struct Reference {
        let target: Int
        let span: Span
    }

    private func references(of type: TypeDraft, _ directives: [String: Int]) -> [Reference] {
        switch type.kind {
        case .object, .interface, .union: return []
        case .scalar, .enum, .inputObject: break
        }
        if type.origin.isPredeclared { return [] }
        return references(of: type.directives, directives)
            + type.values.flatMap { references(of: $0.directives, directives) }
            + references(of: type.inputFields, directives)
    }

    private func references(of values: [InputValueDefinition], _ directives: [String: Int]) -> [Reference] {
        values.flatMap { value in
            let name = value.type.innermost
            let type = typeIndex[name.text].map { [Reference(target: $0, span: name.span)] } ?? []
            return type + references(of: value.directives, directives)
        }
    }

    private func references(of uses: [Directive], _ directives: [String: Int]) -> [Reference] {
        uses.compactMap { use in
            directives[use.name.text].map { Reference(target: $0, span: use.name.span) }
        }
    }
}
