import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that every input object has possible values, and that no default needs other defaults without end.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Objects.Type-Validation
    mutating func checkInputObjects(in schema: Schema) {
        let cyclic = checkCircularReferences(in: schema)
        checkOneOfObjectsAreInhabited(in: schema, besides: cyclic)
        checkDefaultValueCycles(in: schema, besides: cyclic)
    }

    /// Checks that an input object does not require itself, directly or through others. Such a type has no values, and
    /// in Swift it would be a struct that contains itself.
    ///
    /// Returns the types that require themselves.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Objects.Circular-References
    private mutating func checkCircularReferences(in schema: Schema) -> Set<TypeID> {
        let required = schema.types.map { type in
            // A oneOf object requires one of its fields, which another rule checks.
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

    /// Checks that every oneOf input object has possible values.
    ///
    /// An input object is inhabited if all its required fields are inhabited. A oneOf object is inhabited if one of its
    /// fields is. A type that is not inhabited after all these steps has no values. Types that only need each other are
    /// reported once.
    private mutating func checkOneOfObjectsAreInhabited(in schema: Schema, besides cyclic: Set<TypeID>) {
        var missing = [Int](repeating: 0, count: schema.types.count)
        var dependents = [[Int]](repeating: [], count: schema.types.count)
        var needs = [[SchemaInputValue]](repeating: [], count: schema.types.count)
        for type in schema.types where type.kind == .inputObject && !cyclic.contains(type.id) {
            let index = Int(type.id.index)
            let singles = type.inputFields.filter { schema.singleInputObject($0) != nil }
            if type.isOneOf {
                // A field of another type makes the type inhabited, and so does a field that was left out. Non-null
                // fields are reported by another rule.
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
    /// The input object type of a field; nil for lists and for other types.
    func singleInputObject(_ field: SchemaInputValue) -> SchemaType? {
        let type = namedType(of: field.type)
        return type.kind == .inputObject && !field.type.isList ? type : nil
    }
}
