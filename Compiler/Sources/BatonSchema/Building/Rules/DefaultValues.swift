import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that the default of an argument or input field is a value of its type.
    ///
    /// A quoted enum value is a warning, because some servers write enum values so, and clients take no harm.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Objects.Type-Validation
    mutating func checkDefaultValues(in schema: Schema) {
        for definition in defaultValues {
            guard let value = definition.defaultValue, value.span.source != .predeclared else { continue }
            checkConstant(value, definition.type, in: schema, allowsStringsForEnums: true)
        }
    }

    /// Checks that the default of an input field does not need itself, directly or through other defaults.
    ///
    /// An object as a default needs the defaults of its missing fields. A list as a default needs those of its items. A
    /// schema whose defaults have more than `stepLimit` such links is not checked completely.
    ///
    /// Specification: https://spec.graphql.org/September2025/#InputObjectDefaultValueHasCycle()
    mutating func checkDefaultValueCycles(in schema: Schema, besides cyclic: Set<TypeID>) {
        var fields: [(type: SchemaType, field: SchemaInputValue)] = []
        var numbers: [TypeID: [(field: SchemaInputValue, number: Int?)]] = [:]
        for type in schema.types where type.kind == .inputObject && !type.isPredeclared {
            for field in type.inputFields where schema.namedType(of: field.type).kind == .inputObject {
                let hasDefault = field.defaultValue != nil
                numbers[type.id, default: []].append((field, hasDefault ? fields.count : nil))
                if hasDefault { fields.append((type, field)) }
            }
        }
        var steps = 0
        let graph = ReferenceGraph(
            targets: fields.map { _, field in
                var targets: [Int] = []
                guard let value = field.defaultValue else { return targets }
                Self.collectDefaults(neededBy: value, of: field.type.named, numbers, &steps, into: &targets)
                return targets
            }
        )
        for cycle in graph.independentCycles() {
            guard let first = cycle.steps.first else { continue }
            if cycle.steps.allSatisfy({ cyclic.contains(fields[$0.node].type.id) }) { continue }
            func name(_ step: ReferenceGraph.Step) -> String {
                "'\(fields[step.node].type.name).\(fields[step.node].field.name)'"
            }
            let others = cycle.steps.dropFirst()
            let through = others.isEmpty ? "" : " through \(others.map(name).joined(separator: ", "))"
            let field = fields[first.node].field
            report(
                .defaultCycle,
                "the default of \(name(first)) needs itself\(through), so it has no end",
                at: field.defaultValue?.span ?? field.span,
                notes: others.map { step in
                    let field = fields[step.node].field
                    return .init("the default of \(name(step)) is here", at: field.defaultValue?.span ?? field.span)
                },
                suggestion: "give the fields in the default, or leave one default out"
            )
        }
    }

    private static let stepLimit = 1_000_000

    private static func collectDefaults(
        neededBy value: Value,
        of type: TypeID,
        _ numbers: [TypeID: [(field: SchemaInputValue, number: Int?)]],
        _ steps: inout Int,
        into targets: inout [Int]
    ) {
        // Nested values are in an array, so that deep nesting costs no stack.
        var pending = [(value: value, type: type)]
        while let next = pending.popLast() {
            switch next.value {
            case .list(let list): pending += list.values.map { ($0, next.type) }
            case .object(let object):
                let given = Dictionary(object.fields.map { ($0.name.text, $0.value) }) { first, _ in first }
                for (field, number) in numbers[next.type] ?? [] {
                    steps += 1
                    guard steps < stepLimit else { return }
                    if let value = given[field.name] {
                        pending.append((value, field.type.named))
                    } else if let number {
                        targets.append(number)
                    }
                }
            default: break
            }
        }
    }
}
