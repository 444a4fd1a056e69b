import BatonCodegen
import BatonCompiler
import BatonProject
import BatonSchema
import BatonSyntax

/// The Swift names of what documents define, as they are if no other type has the name.
enum GeneratedSwift {
    /// The name of the type that is generated for a fragment.
    static func fragment(_ name: String) -> String { SwiftName.uppercasingFirst(name) }

    /// The name of the property that refers to a spread fragment.
    static func reference(_ name: String) -> String { SwiftName.lowercasingFirst(name) }

    static func operation(_ name: String, _ kind: OperationKind) -> String { TypeNames.typeName(name, kind) }

    /// The name of the type that is generated for a definition.
    static func type(of kind: DefinitionRecord.Kind, _ name: String) -> String {
        switch kind {
        case .fragment: fragment(name)
        case .query: operation(name, .query)
        case .mutation: operation(name, .mutation)
        case .subscription: operation(name, .subscription)
        }
    }

    /// The name of the type that is generated for an enum or an input object.
    static func type(of type: SchemaType, _ configuration: Configuration?) -> String {
        configuration?.customTypes[type.name]?.customization.name ?? SwiftName.uppercasingFirst(type.name)
    }

    /// The type of a field's property as it follows from the schema. Directives may change whether it is optional.
    static func type(
        of reference: TypeReference, key: String, _ schema: Schema, _ configuration: Configuration?
    ) -> String {
        let named = schema.namedType(of: reference)
        var text = name(of: named, key: key, isList: reference.isList, configuration)
        // From the inside out: the layers of the type are collected first.
        var layers: [TypeReference] = []
        var layer: TypeReference? = reference
        while let current = layer {
            layers.append(current)
            layer = current.item
        }
        for layer in layers.reversed() {
            if layer.isList { text = "[\(text)]" }
            if !layer.isNonNull { text += "?" }
        }
        return text
    }

    private static func name(
        of type: SchemaType, key: String, isList: Bool, _ configuration: Configuration?
    ) -> String {
        if type.isComposite { return NestedTypeName.name(forKey: key, isList: isList, typeName: type.name) }
        if type.kind == .enum { return Self.type(of: type, configuration) }
        if let mapped = configuration?.scalars[type.name] { return mapped.type }
        switch type.name {
        case "Int": return "Int"
        case "Float": return "Double"
        case "Boolean": return "Bool"
        default: return "String"
        }
    }
}
