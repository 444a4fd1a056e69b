import BatonDiagnostics
import BatonSyntax

/// A named type with everything that definitions and extensions say about it; immutable.
package final class SchemaType: Sendable {
    package let id: TypeID
    package let name: String
    package let kind: Kind
    package let description: String?
    /// Fields of an object or interface, in the order of definition; extensions last.
    package let fields: [SchemaField]
    /// Fields of an input object.
    package let inputFields: [SchemaInputValue]
    package let enumValues: [SchemaEnumValue]
    /// Interfaces that an object or interface declares.
    package let interfaces: [TypeID]
    /// Members of a union.
    package let members: [TypeID]
    /// Directives on the definition and its extensions.
    package let directives: [Directive]
    /// Whether exactly one field of this input object must be given.
    package let isOneOf: Bool
    package let specifiedByURL: String?
    /// Whether the type is known to the client alone.
    package let isClientOnly: Bool
    /// Whether the specification predeclares it.
    package let isPredeclared: Bool
    /// The name in the definition, or `.none`.
    package let span: Span

    private let fieldIndex: [String: Int]
    private let inputFieldIndex: [String: Int]
    private let enumValueIndex: [String: Int]

    /// What a type is made of, which decides where it may stand.
    package enum Kind: Hashable, Sendable {
        case scalar
        case object
        case interface
        case union
        case `enum`
        case inputObject
    }

    package init(
        id: TypeID,
        name: String,
        kind: Kind,
        description: String? = nil,
        fields: [SchemaField] = [],
        inputFields: [SchemaInputValue] = [],
        enumValues: [SchemaEnumValue] = [],
        interfaces: [TypeID] = [],
        members: [TypeID] = [],
        directives: [Directive] = [],
        isOneOf: Bool = false,
        specifiedByURL: String? = nil,
        isClientOnly: Bool = false,
        isPredeclared: Bool = false,
        span: Span = .none
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.description = description
        self.fields = fields
        self.inputFields = inputFields
        self.enumValues = enumValues
        self.interfaces = interfaces
        self.members = members
        self.directives = directives
        self.isOneOf = isOneOf
        self.specifiedByURL = specifiedByURL
        self.isClientOnly = isClientOnly
        self.isPredeclared = isPredeclared
        self.span = span
        fieldIndex = Self.index(fields.lazy.map(\.name))
        inputFieldIndex = Self.index(inputFields.lazy.map(\.name))
        enumValueIndex = Self.index(enumValues.lazy.map(\.name))
    }

    private static func index(_ names: some Collection<String>) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The declared field of a name; `Schema.field(named:on:)` knows the meta fields too.
    package func field(named name: String) -> SchemaField? {
        fieldIndex[name].map { fields[$0] }
    }

    package func inputField(named name: String) -> SchemaInputValue? {
        inputFieldIndex[name].map { inputFields[$0] }
    }

    package func enumValue(named name: String) -> SchemaEnumValue? {
        enumValueIndex[name].map { enumValues[$0] }
    }

    /// Whether a selection set may be put on it.
    package var isComposite: Bool { kind == .object || kind == .interface || kind == .union }

    /// Whether its values are of several object types.
    package var isAbstract: Bool { kind == .interface || kind == .union }

    /// Whether it is a scalar or an enum.
    package var isLeaf: Bool { kind == .scalar || kind == .enum }

    package var isInput: Bool { kind == .scalar || kind == .enum || kind == .inputObject }

    package var isOutput: Bool { kind != .inputObject }
}

extension SchemaType: Equatable {
    /// Identity: a schema holds each type once.
    package static func == (left: SchemaType, right: SchemaType) -> Bool { left === right }
}
