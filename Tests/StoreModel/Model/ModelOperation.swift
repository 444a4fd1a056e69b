import Baton

/// A random operation: its artifact, and the plan that the model follows.
package final class ModelOperation: Sendable {
    let artifact: GeneratedCode.OperationArtifact
    let items: [SelectionPlan.Item]
    let declared: [SelectionPlan.Variable]
    let kind: OperationKind
    /// The limit of the operation, in seconds.
    let maxAge: Int?

    init(_ name: String, _ kind: OperationKind, _ plan: String) {
        artifact = GeneratedCode.OperationArtifact(
            name: name, kind: kind, text: "", normalization: plan, reader: plan,
            scalars: [GeneratedCode.ScalarDecoder("Word", Word.self)])
        self.kind = kind
        guard case .success(let decoded) = artifact.normalization.plan else {
            fatalError("the model wrote a plan that is none: \(plan)")
        }
        items = decoded.items
        declared = decoded.variables
        maxAge = decoded.marks.maxAge.map { Int($0.components.seconds) }
    }
}

/// An operation with values for its variables.
struct ModelCall {
    let operation: ModelOperation
    let variables: JSONValue

    var items: [SelectionPlan.Item] { operation.items }

    private func value(of name: String) -> JSONValue? {
        variables[name] ?? operation.declared.first { $0.name == name }?.defaultValue
    }

    func holds(_ condition: SelectionPlan.Condition?) -> Bool {
        guard let condition else { return true }
        return condition.alternatives.contains { literals in
            literals.allSatisfy { (value(of: $0.variable) == .bool(true)) != $0.isNegated }
        }
    }

    /// The model's own spelling of a storage key; its arguments are variables and integers.
    func storageKey(_ field: SelectionPlan.Field) -> String {
        let arguments = field.arguments.compactMap { argument -> String? in
            switch argument.value {
            case .variable(let name): value(of: name).map { "\(argument.name):\($0.text)" }
            case .constant(let constant): "\(argument.name):\(constant.text)"
            default: nil
            }
        }
        return arguments.isEmpty ? field.name : "\(field.name)(\(arguments.sorted().joined(separator: ",")))"
    }

    /// A field of an object as the response spells it, with everything selected below it.
    struct Field {
        let field: SelectionPlan.Field
        var children: [SelectionPlan.Item]
    }

    /// The fields of an object of a type in the order of the plan. `isOf` decides conditions on abstract types.
    func fields(_ items: [SelectionPlan.Item], of type: String, _ isOf: (String) -> Bool = { _ in true }) -> [Field] {
        var result: [Field] = []
        func add(_ items: [SelectionPlan.Item]) {
            for item in items where holds(item.condition) {
                switch item.kind {
                case .field(let field):
                    if let index = result.firstIndex(where: { $0.field.responseKey == field.responseKey }) {
                        result[index].children += field.selections
                    } else {
                        result.append(Field(field: field, children: field.selections))
                    }
                case .inline(let condition, let items):
                    guard let condition else {
                        add(items)
                        break
                    }
                    if condition.isAbstract ? isOf(condition.type) : condition.type == type { add(items) }
                case .spread: break
                }
            }
        }
        add(items)
        return result
    }

    /// The abstract types that a response decides for an object of a type, and whether the conditions around them hold.
    func conditions(
        _ items: [SelectionPlan.Item], of type: String, _ isOf: (String) -> Bool
    ) -> [(abstractType: String, isDecided: Bool)] {
        var result: [(String, Bool)] = []
        func add(_ items: [SelectionPlan.Item], _ isReached: Bool) {
            for item in items where holds(item.condition) {
                guard case .inline(let condition, let items) = item.kind else { continue }
                guard let condition else {
                    add(items, isReached)
                    continue
                }
                if condition.isAbstract {
                    result.append((condition.type, isReached))
                    add(items, isOf(condition.type))
                } else if condition.type == type {
                    add(items, isReached)
                }
            }
        }
        add(items, true)
        return result
    }
}

/// The mapped scalar of the model: a word that is not `bad`.
package struct Word: ScalarConversion, Sendable, Hashable {
    struct Malformed: Error {}

    let text: String

    package static func decode(_ json: JSONValue) throws -> Word {
        guard case .string(let text) = json, text != "bad" else { throw Malformed() }
        return Word(text: text)
    }

    package static func encode(_ value: Word) -> JSONValue { .string(value.text) }
}
