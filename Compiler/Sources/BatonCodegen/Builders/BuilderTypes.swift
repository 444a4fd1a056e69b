import BatonSchema

/// The names of what `BuilderSchema` has for each object type, interface and union of a schema.
///
/// They depend on the schema and the configuration alone, not on the documents. No two are alike, and none hides a type
/// that the properties of builders have.
struct BuilderTypes: Sendable {
    private var names: [TypeID: String] = [:]
    /// The enum of the object types of an interface or union, in its builder.
    static let choice = "ObjectType"

    init(_ schema: Schema, _ leaves: LeafTypes, _ options: GenerationOptions) {
        let kinds: Set<SchemaType.Kind> = [.enum, .scalar]
        let used = schema.types.filter { kinds.contains($0.kind) }.flatMap { leaves.referencedNames(leaves.leaf($0)) }
        var scope = NameScope(
            reserved: ReservedNames.types, Set(used), [BuilderNames.namespace, BuilderNames.table, "BatonTesting"])
        for type in schema.types where type.isComposite { names[type.id] = scope.claim(options.conditionName(type)) }
    }

    /// The name in the namespace.
    func name(_ type: SchemaType) -> String { names[type.id] ?? SwiftName.uppercasingFirst(type.name) }

    /// The qualified name of the builder.
    func builder(of type: SchemaType) -> String { BuilderNames.namespace + "." + name(type) }

    /// The qualified name of the enum of object types.
    func choice(of type: SchemaType) -> String { builder(of: type) + "." + Self.choice }
}
