import BatonDiagnostics

extension SchemaBuilder {
    /// An input object does not require itself, directly or through others: no value of it could be written, and in Swift
    /// it would be a struct that contains itself.
    ///
    /// Types that require nothing of this kind are taken away, then those that require only such, and so on; from each
    /// that stays the first required field leads into a cycle. Cost is linear in the number of fields.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Objects.Circular-References
    mutating func checkInputCycles(in types: [SchemaType]) {
        var required: [TypeID: [SchemaInputValue]] = [:]
        var dependents: [TypeID: [TypeID]] = [:]
        for type in types where type.kind == .inputObject {
            let fields = type.inputFields.filter { Self.requiredInput($0, in: types) != nil }
            required[type.id] = fields
            for field in fields { dependents[field.type.named, default: []].append(type.id) }
        }
        var open = required.mapValues(\.count)
        var free = types.map(\.id).filter { open[$0] == 0 }
        while let id = free.popLast() {
            open[id] = nil
            for dependent in dependents[id] ?? [] {
                guard let count = open[dependent] else { continue }
                open[dependent] = count - 1
                if count == 1 { free.append(dependent) }
            }
        }
        var visited: Set<TypeID> = []
        for type in types where open[type.id] != nil {
            var path: [(type: SchemaType, field: SchemaInputValue)] = []
            var next = type
            while visited.insert(next.id).inserted {
                guard let field = required[next.id]?.first(where: { open[$0.type.named] != nil }),
                    let target = Self.requiredInput(field, in: types)
                else { break }
                path.append((next, field))
                next = target
            }
            if let start = path.firstIndex(where: { $0.type === next }) { report(Array(path[start...])) }
        }
    }

    /// The input object that a field must hold.
    private static func requiredInput(_ field: SchemaInputValue, in types: [SchemaType]) -> SchemaType? {
        guard field.type.isNonNull, !field.type.isList else { return nil }
        let index = Int(field.type.named.index)
        return types.indices.contains(index) && types[index].kind == .inputObject ? types[index] : nil
    }

    private mutating func report(_ cycle: [(type: SchemaType, field: SchemaInputValue)]) {
        guard let first = cycle.first else { return }
        let others = cycle.dropFirst()
        let through = others.isEmpty ? "" : " through " + others.map { "'\($0.type.name)'" }.joined(separator: ", ")
        diagnostics.append(
            Diagnostic(
                .inputCycle,
                "input object '\(first.type.name)' requires itself\(through), so no value of it can be written",
                at: first.field.span,
                notes: others.map { .init("'\($0.type.name)' requires the next one here", at: $0.field.span) },
                suggestion: "make one of the fields nullable"
            )
        )
    }
}
