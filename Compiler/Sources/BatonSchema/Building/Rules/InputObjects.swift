import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Some value of every input object can be written, and its defaults come to an end.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Objects.Type-Validation
    mutating func checkInputObjects(in schema: Schema) {
        let cyclic = checkCircularReferences(in: schema)
        checkOneOfObjectsAreInhabited(in: schema, besides: cyclic)
        checkDefaultValueCycles(in: schema, besides: cyclic)
    }

    /// An input object does not require itself, directly or through others: no value of it could be written, and in
    /// Swift it would be a struct that contains itself.
    ///
    /// Gives the types that require themselves.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Objects.Circular-References
    private mutating func checkCircularReferences(in schema: Schema) -> Set<TypeID> {
        let required = schema.types.map { type in
            // A oneOf object requires one of its fields, which is another rule.
            type.isOneOf ? [] : type.inputFields.filter { $0.type.isNonNull && schema.singleInputObject($0) != nil }
        }
        let graph = ReferenceGraph(targets: required.map { $0.map { Int($0.type.named.index) } })
        for cycle in graph.independentCycles() {
            guard let first = cycle.steps.first else { continue }
            let others = cycle.steps.dropFirst()
            let through = others.isEmpty ? "" : " through \(names(of: cycle))"
            report(
                .inputCycle,
                "input object '\(types[first.node].name.text)' requires itself\(through), so no value of it can be written",
                at: required[first.node][first.edge].span,
                notes: others.map { step in
                    let field = required[step.node][step.edge]
                    let target = schema.namedType(of: field.type).name
                    return .init("'\(types[step.node].name.text)' requires '\(target)' here", at: field.span)
                },
                suggestion: others.isEmpty ? "make the field nullable" : "make one of the fields nullable"
            )
        }
        return Set(graph.cyclicComponents().joined().map { TypeID($0) })
    }

    /// Of a oneOf input object some field can be given a value.
    ///
    /// An input object is inhabited if all that it requires is; a oneOf object if one of its fields is. What is not
    /// after all such steps cannot be written. A group of types that need only each other is reported once.
    private mutating func checkOneOfObjectsAreInhabited(in schema: Schema, besides cyclic: Set<TypeID>) {
        var missing = [Int](repeating: 0, count: schema.types.count)
        var dependents = [[Int]](repeating: [], count: schema.types.count)
        var needs = [[SchemaInputValue]](repeating: [], count: schema.types.count)
        for type in schema.types where type.kind == .inputObject && !cyclic.contains(type.id) {
            let index = Int(type.id.index)
            let singles = type.inputFields.filter { schema.singleInputObject($0) != nil }
            if type.isOneOf {
                // Another field, or one that was left out, settles it; one that is not nullable was reported.
                guard singles.count == types[index].inputFields.count, !singles.isEmpty else { continue }
                if singles.contains(where: \.type.isNonNull) { continue }
                needs[index] = singles
                missing[index] = 1
            } else {
                needs[index] = singles.filter(\.type.isNonNull)
                missing[index] = needs[index].count
            }
            for field in needs[index] { dependents[Int(field.type.named.index)].append(index) }
        }
        var inhabited = missing.indices.filter { missing[$0] == 0 }
        while let index = inhabited.popLast() {
            for dependent in dependents[index] where missing[dependent] > 0 {
                missing[dependent] -= 1
                if missing[dependent] == 0 { inhabited.append(dependent) }
            }
        }
        let graph = ReferenceGraph(
            targets: needs.indices.map { index in
                missing[index] == 0 ? [] : needs[index].map { Int($0.type.named.index) }.filter { missing[$0] > 0 }
            }
        )
        for component in graph.cyclicComponents() {
            let members = Set(component)
            guard component.allSatisfy({ graph.targets[$0].allSatisfy(members.contains) }),
                let index = component.first(where: { schema.types[$0].isOneOf })
            else { continue }
            report(
                .inputCycle,
                "every field of '@oneOf' input object '\(types[index].name.text)' leads back to it, "
                    + "so no value of it can be written",
                at: types[index].name.span,
                notes: needs[index].prefix(8).map { .init("'\($0.name)' leads back to it", at: $0.span) },
                suggestion: "add a field of a scalar or a list"
            )
        }
    }
}

extension Schema {
    /// The input object that the value of a field is, unless it is a list of them or something else.
    func singleInputObject(_ field: SchemaInputValue) -> SchemaType? {
        let type = namedType(of: field.type)
        return type.kind == .inputObject && !field.type.isList ? type : nil
    }
}
