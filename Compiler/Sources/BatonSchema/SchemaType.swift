import BatonDiagnostics
import BatonSyntax

/// A named type with its definition and extensions merged; immutable.
package final class SchemaType: Sendable {
    package let id: TypeID
    package let name: String
    package let kind: Kind
    package let description: String?
    /// The fields of an object or interface, in the order of definition; those of extensions come last.
    package let fields: [SchemaField]
    /// The fields of an input object.
    package let inputFields: [SchemaInputValue]
    package let enumValues: [SchemaEnumValue]
    /// The interfaces that an object or interface declares.
    package let interfaces: [TypeID]
    /// The members of a union.
    package let members: [TypeID]
    /// The directives on the definition and its extensions.
    package let directives: [Directive]
    /// Whether exactly one field of this input object must be given.
    package let isOneOf: Bool
    package let specifiedByURL: String?
    /// Whether only the client knows the type.
    package let isClientOnly: Bool
    /// Whether the specification predeclares the type.
    package let isPredeclared: Bool
    /// The place of the name in the definition, or `.none`.
    package let span: Span

    private let fieldIndex: [String: Int]
    private let inputFieldIndex: [String: Int]
    private let enumValueIndex: [String: Int]

    /// The kind of a type, which decides where the type may be used.
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

    /// The declared field with a name; `Schema.field(named:on:)` also finds meta fields.
    package func field(named name: String) -> SchemaField? {
        fieldIndex[name].map { fields[$0] }
    }

    package func inputField(named name: String) -> SchemaInputValue? {
        inputFieldIndex[name].map { inputFields[$0] }
    }

    package func enumValue(named name: String) -> SchemaEnumValue? {
        enumValueIndex[name].map { enumValues[$0] }
    }

    /// Whether fields of this type have a selection set.
    package var isComposite: Bool { kind == .object || kind == .interface || kind == .union }

    /// Whether the values can be of several object types.
    package var isAbstract: Bool { kind == .interface || kind == .union }

    package var isLeaf: Bool { kind == .scalar || kind == .enum }

    package var isInput: Bool { kind == .scalar || kind == .enum || kind == .inputObject }

    package var isOutput: Bool { kind != .inputObject }
}

extension SchemaType: Equatable {
    /// Types are compared by identity, because a schema has one instance of each type.
    package static func == (left: SchemaType, right: SchemaType) -> Bool { left === right }
}
