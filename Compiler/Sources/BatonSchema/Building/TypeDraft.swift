import BatonDiagnostics
import BatonSyntax

/// A type whose definition and extensions are being merged. Its names are not resolved.
struct TypeDraft {
    let name: Name
    let kind: SchemaType.Kind
    let keyword: String
    let description: String?
    let origin: SchemaBuilder.Origin
    var directives: [Directive] = []
    var interfaces: [Name] = []
    var fields: [Field] = []
    var members: [Name] = []
    var values: [EnumValueDefinition] = []
    var inputFields: [InputValueDefinition] = []
    /// Whether the parser left out a part of the type, so that an empty body is no mistake.
    var isBroken = false

    struct Field {
        let definition: FieldDefinition
        let isClientOnly: Bool
    }

    init(_ definition: TypeDefinition, origin: SchemaBuilder.Origin) {
        name = definition.name
        kind = Self.kind(of: definition.body)
        keyword = definition.body.keyword
        description = definition.description?.text
        self.origin = origin
        merge(definition, isClientOnly: origin == .client)
    }

    init(scalar name: String) {
        self.init(TypeDefinition(name: Name(name), body: .scalar), origin: .schema)
    }

    mutating func merge(_ definition: TypeDefinition, isClientOnly: Bool) {
        directives += definition.directives
        isBroken = isBroken || definition.isBroken
        switch definition.body {
        case .scalar: break
        case .object(let interfaces, let fields), .interface(let interfaces, let fields):
            self.interfaces += interfaces
            self.fields += fields.map { Field(definition: $0, isClientOnly: isClientOnly) }
        case .union(let members): self.members += members
        case .enum(let values): self.values += values
        case .inputObject(let fields): inputFields += fields
        }
    }

    /// The indefinite article of the keyword.
    var article: String { kind == .interface || kind == .enum || kind == .inputObject ? "an" : "a" }

    /// The location of directives on the type.
    var location: DirectiveLocation {
        switch kind {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enum: .enum
        case .inputObject: .inputObject
        }
    }

    static func kind(of body: TypeDefinition.Body) -> SchemaType.Kind {
        switch body {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enum: .enum
        case .inputObject: .inputObject
        }
    }
}
