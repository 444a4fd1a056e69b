import BatonSchema
import BatonSyntax

/// The fields that identify the objects of a type instead of `id`, by `@typePolicy(keyFields: "isbn edition")`.
///
/// A policy of an interface applies to the object types that implement the interface and have no policy of their own.
/// If the configuration names another field than `id`, that field is the key of the types that have it. A policy with a
/// mistake, which `CheckTypePolicies` reports, gives no key.
///
/// Reference: https://www.apollographql.com/docs/ios/caching/cache-key-resolution
package struct KeyFields: Sendable {
    /// The identity of one object type.
    package struct Key: Sendable, Hashable {
        package let type: String
        package let fields: [String]
        /// Whether the value alone is the identity, without the name of the type.
        package let isGlobal: Bool
    }

    private let schema: Schema
    private var keys: [TypeID: Key] = [:]

    package init(_ schema: Schema) {
        self.schema = schema
        let name = schema.names.nodeInterfaceIDField
        if name != "id" {
            for type in schema.types where type.kind == .object && Self.hasIdentifier(type, name, schema) {
                let isNode = schema.nodeInterface.map { schema.implements(type, $0) } ?? false
                keys[type.id] = Key(type: type.name, fields: [name], isGlobal: isNode)
            }
        }
        let policies = KeyPolicy.all(in: schema)
        for policy in policies where policy.mistake(in: schema) == nil {
            for type in policy.types(in: schema, among: policies) {
                keys[type.id] = Key(type: type.name, fields: policy.fields, isGlobal: false)
            }
        }
    }

    /// Whether no type has key fields.
    package var isEmpty: Bool { keys.isEmpty }

    /// The key of an object type; nil for a type that is identified by its `id`.
    package func key(of type: SchemaType) -> Key? { keys[type.id] }

    /// The keys of the object types that an operation may meet, sorted by name.
    package func met(in plan: SelectionPlan) -> [Key] {
        if keys.isEmpty { return [] }
        var met: Set<Key> = []
        visit(plan, into: &met)
        return met.sorted { $0.type < $1.type }
    }

    /// The depth limit of `Flatten` bounds the recursion.
    private func visit(_ plan: SelectionPlan, into met: inout Set<Key>) {
        for type in schema.possibleTypes(of: plan.type) { keys[type.id].map { _ = met.insert($0) } }
        for item in plan.items {
            switch item {
            case .field(let field): if let inner = field.selections { visit(inner, into: &met) }
            case .inline(let inline): visit(inline.selections, into: &met)
            case .spread: break
            }
        }
    }

    /// Whether a type has an identifier that `GenerateIDs` adds.
    private static func hasIdentifier(_ type: SchemaType, _ name: String, _ schema: Schema) -> Bool {
        guard let field = type.field(named: name), !field.isClientOnly else { return false }
        return schema.namedType(of: field.type).name == "ID" && !field.arguments.contains(where: \.isRequired)
    }
}
