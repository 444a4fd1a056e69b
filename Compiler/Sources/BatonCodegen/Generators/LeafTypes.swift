import BatonSchema

/// The Swift types of scalars, enums and input objects, and the code that reads and sends them.
package struct LeafTypes: Sendable {
    let schema: Schema
    let names: TypeNames
    private let scalars: [String: ScalarMapping]

    package init(schema: Schema, names: TypeNames, scalars: [String: ScalarMapping]) {
        self.schema = schema
        self.names = names
        self.scalars = scalars
    }

    /// The Swift type of a leaf, and the code that reads it.
    enum Leaf: Hashable {
        /// A type of Swift, with the reader's method that returns it.
        case plain(type: String, method: String)
        case enumeration(String)
        case mapped(scalar: String, ScalarMapping)
        case input(String)

        var type: SwiftType {
            switch self {
            case .plain(let type, _), .enumeration(let type), .input(let type): .named(type)
            case .mapped(_, let mapping): .named(mapping.swiftType)
            }
        }
    }

    func leaf(_ type: SchemaType) -> Leaf {
        switch type.kind {
        case .enum: return .enumeration(names.type(type))
        case .inputObject: return .input(names.type(type))
        default: break
        }
        if let mapping = scalars[type.name] {
            // A scalar that is mapped to String needs no conversion.
            return mapping.isPlainString
                ? .plain(type: "String", method: "string") : .mapped(scalar: type.name, mapping)
        }
        switch type.name {
        case "Int": return .plain(type: "Int", method: "int")
        case "Float": return .plain(type: "Double", method: "double")
        case "Boolean": return .plain(type: "Bool", method: "bool")
        default: return .plain(type: "String", method: "string")
        }
    }

    func leaf(_ reference: TypeReference) -> Leaf { leaf(schema.namedType(of: reference)) }

    /// The Swift type of a reference around a given innermost type; optional if the reference is nullable.
    static func swiftType(_ reference: TypeReference, innermost: SwiftType) -> SwiftType {
        let type = unwrapped(reference, innermost: innermost)
        return reference.isNonNull ? type : .optional(type)
    }

    /// The same type without an outermost optional.
    static func unwrapped(_ reference: TypeReference, innermost: SwiftType) -> SwiftType {
        guard let item = reference.item else { return innermost }
        return .array(swiftType(item, innermost: innermost))
    }

    /// The top-level names that code for the leaf refers to.
    func referencedNames(_ leaf: Leaf) -> [String] {
        switch leaf {
        case .plain: []
        case .enumeration(let name), .input(let name): [name]
        case .mapped(_, let mapping):
            [mapping.swiftType, mapping.conversionType].map { $0.split(separator: ".").first.map(String.init) ?? $0 }
        }
    }
}

extension ScalarMapping {
    /// The type as generated code writes it; qualified if a nested type could hide it.
    var swiftType: String { qualified(type) }

    /// The type that conforms to `ScalarConversion`.
    var conversionType: String { conversion ?? swiftType }

    var isPlainString: Bool { type == "String" && conversion == nil }

    private func qualified(_ name: String) -> String {
        guard let module, ReservedNames.topLevel.contains(name) else { return name }
        return module + "." + name
    }
}
