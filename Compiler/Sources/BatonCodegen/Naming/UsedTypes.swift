import BatonSchema
import BatonTransforms

/// The enums, input objects and custom scalars that documents use.
package struct UsedTypes: Sendable {
    /// The ids of the types, in no order.
    private var ids: Set<TypeID> = []
    private let schema: Schema
    /// The names of types of other modules, and of the types that these use.
    private let others: Set<String>

    package init(schema: Schema, ofOtherModules others: Set<String> = []) {
        self.schema = schema
        self.others = others
    }

    package var enums: [SchemaType] { types(of: .enum) }
    package var inputObjects: [SchemaType] { types(of: .inputObject) }
    package var scalars: [SchemaType] { types(of: .scalar) }

    private func types(of kind: SchemaType.Kind) -> [SchemaType] {
        ids.sorted().map { schema[$0] }.filter { $0.kind == kind }
    }

    /// The names of all types, sorted.
    package var names: [String] { ids.map { schema[$0].name }.sorted() }

    /// Adds types that are known to be used, with all that they use; a name that is no type is left out.
    package mutating func add(named names: Set<String>) {
        for name in names { if let type = schema.type(named: name) { ids.insert(type.id) } }
    }

    /// Adds the types of another set.
    package mutating func add(_ other: UsedTypes) { ids.formUnion(other.ids) }

    /// Adds the leaf types of a reader plan.
    package mutating func visit(_ plan: SelectionPlan) {
        for item in plan.items {
            switch item {
            case .field(let field):
                if let inner = field.selections { visit(inner) } else { visit(field.definition.type) }
            case .inline(let inline): visit(inline.selections)
            case .spread: break
            }
        }
    }

    /// Adds a type, and for an input object the types of its fields.
    package mutating func visit(_ reference: TypeReference) {
        var pending = [reference.named]
        while let id = pending.popLast() {
            let type = schema[id]
            if type.kind == .scalar, ScalarMapping.builtIn[type.name] != nil { continue }
            guard type.isInput, ids.insert(id).inserted, !others.contains(type.name) else { continue }
            pending += type.inputFields.map(\.type.named)
        }
    }
}
