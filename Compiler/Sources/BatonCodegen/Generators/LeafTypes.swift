// Scalars have several owners, this one for generated code; ReadingTheDesign.md names the others.

import BatonSchema
import BatonTransforms

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

    /// The Swift type of a leaf, and the way in which it is read.
    enum Leaf: Hashable {
        /// A type of Swift, with the row's method that returns it.
        case plain(type: String, method: String)
        case enumeration(String)
        case mapped(scalar: String, ScalarMapping)
        case input(String)
        case oneOf(String)

        var type: SwiftType {
            switch self {
            case .plain(let type, _), .enumeration(let type), .input(let type), .oneOf(let type): .named(type)
            case .mapped(_, let mapping): .named(mapping.swiftType)
            }
        }

        /// The row's method for a value that is not null.
        var method: String {
            switch self {
            case .plain(_, let method): method
            case .enumeration, .input, .oneOf: "enumeration"
            case .mapped: "scalar"
            }
        }
    }

    func leaf(_ type: SchemaType) -> Leaf {
        switch type.kind {
        case .enum: return .enumeration(names.type(type))
        case .inputObject: return type.isOneOf ? .oneOf(names.type(type)) : .input(names.type(type))
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

    /// The leaf of a selected field.
    func leaf(_ field: SchemaField, _ reference: TypeReference? = nil) -> Leaf {
        field.isDataID ? .plain(type: "String", method: "dataID") : leaf(reference ?? field.type)
    }

    func leaf(_ reference: TypeReference) -> Leaf { leaf(schema.namedType(of: reference)) }

    /// Adds the leaf types of a plan. The depth limit of `Flatten` bounds the recursion.
    func collect(_ plan: SelectionPlan, into used: inout Set<Leaf>) {
        for item in plan.items {
            switch item {
            case .field(let field):
                if let inner = field.selections {
                    collect(inner, into: &used)
                } else {
                    used.insert(leaf(field.definition))
                }
            case .inline(let inline): collect(inline.selections, into: &used)
            case .spread: break
            }
        }
    }

    /// The Swift type of a reference around an innermost type, without an outermost optional. `list` makes the type of
    /// a list from the type of its items.
    static func unwrapped(
        _ reference: TypeReference,
        innermost: SwiftType,
        list: (SwiftType) -> SwiftType = SwiftType.array
    ) -> SwiftType {
        guard let item = reference.item else { return innermost }
        let type = unwrapped(item, innermost: innermost, list: list)
        return list(item.isNonNull ? type : .optional(type))
    }

    /// The top-level names to which the code for the leaf refers.
    func referencedNames(_ leaf: Leaf) -> [String] {
        switch leaf {
        case .plain: []
        case .enumeration(let name), .input(let name), .oneOf(let name): [name]
        case .mapped(_, let mapping):
            [mapping.swiftType, mapping.conversionType].map { $0.split(separator: ".").first.map(String.init) ?? $0 }
        }
    }
}

extension ScalarMapping {
    /// The name of the type in generated code. The name is qualified if a nested type could hide the type.
    var swiftType: String { qualified(type) }

    /// The type that conforms to `ScalarConversion`.
    var conversionType: String { conversion ?? swiftType }

    var isPlainString: Bool { type == "String" && conversion == nil }

    private func qualified(_ name: String) -> String {
        guard let module, ReservedNames.topLevel.contains(name) else { return name }
        return module + "." + name
    }
}
