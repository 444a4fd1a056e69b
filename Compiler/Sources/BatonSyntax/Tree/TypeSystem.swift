import BatonDiagnostics

/// `schema { query: Query }`, or `extend schema` with directives, operation types, or both.
package struct SchemaDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var directives: [Directive]
    package var operationTypes: [RootOperationType]
    package var isExtension: Bool
    @Uncompared package var span: Span
    /// Whether the parser left out a part that it could not parse; later stages do not check such a definition.
    @Uncompared package var isBroken = false
    /// The word `schema`.
    @Uncompared package var keyword: Span

    package init(
        description: StringValue? = nil,
        directives: [Directive] = [],
        operationTypes: [RootOperationType],
        isExtension: Bool = false,
        span: Span = .none,
        keyword: Span? = nil
    ) {
        self.description = description
        self.directives = directives
        self.operationTypes = operationTypes
        self.isExtension = isExtension
        self.span = span
        self.keyword = keyword ?? span
    }
}

/// `query: TypeName` inside a schema definition.
package struct RootOperationType: Hashable, Sendable {
    package var kind: OperationKind
    package var type: Name
    @Uncompared package var span: Span

    package init(kind: OperationKind, type: Name, span: Span = .none) {
        self.kind = kind
        self.type = type
        self.span = span
    }
}

/// The definition or the extension of a named type.
package struct TypeDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var name: Name
    package var directives: [Directive]
    package var body: Body
    package var isExtension: Bool
    @Uncompared package var span: Span
    /// Whether the parser left out a part that it could not parse; later stages do not check such a definition.
    @Uncompared package var isBroken = false

    package init(
        description: StringValue? = nil,
        name: Name,
        directives: [Directive] = [],
        body: Body,
        isExtension: Bool = false,
        span: Span = .none
    ) {
        self.description = description
        self.name = name
        self.directives = directives
        self.body = body
        self.isExtension = isExtension
        self.span = span
    }

    /// The kind of the type, with its members.
    package enum Body: Hashable, Sendable {
        case scalar
        case object(interfaces: [Name], fields: [FieldDefinition])
        case interface(interfaces: [Name], fields: [FieldDefinition])
        case union(members: [Name])
        case `enum`(values: [EnumValueDefinition])
        case inputObject(fields: [InputValueDefinition])

        package var keyword: String {
            switch self {
            case .scalar: "scalar"
            case .object: "type"
            case .interface: "interface"
            case .union: "union"
            case .enum: "enum"
            case .inputObject: "input"
            }
        }
    }
}

/// `name(arguments): Type @directives` of an object or interface.
package struct FieldDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var name: Name
    package var arguments: [InputValueDefinition]
    package var type: TypeNode
    package var directives: [Directive]
    @Uncompared package var span: Span

    package init(
        description: StringValue? = nil,
        name: Name,
        arguments: [InputValueDefinition] = [],
        type: TypeNode,
        directives: [Directive] = [],
        span: Span = .none
    ) {
        self.description = description
        self.name = name
        self.arguments = arguments
        self.type = type
        self.directives = directives
        self.span = span
    }
}

/// `name: Type = default @directives`: an argument or a field of an input object.
package struct InputValueDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var name: Name
    package var type: TypeNode
    package var defaultValue: Value?
    package var directives: [Directive]
    @Uncompared package var span: Span

    package init(
        description: StringValue? = nil,
        name: Name,
        type: TypeNode,
        defaultValue: Value? = nil,
        directives: [Directive] = [],
        span: Span = .none
    ) {
        self.description = description
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
        self.span = span
    }
}

/// `"description" NAME @directive` in the definition of an enum.
package struct EnumValueDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var name: Name
    package var directives: [Directive]
    @Uncompared package var span: Span

    package init(description: StringValue? = nil, name: Name, directives: [Directive] = [], span: Span = .none) {
        self.description = description
        self.name = name
        self.directives = directives
        self.span = span
    }
}

/// `directive @name(arguments) repeatable on LOCATION | LOCATION`; the span of the name includes the `@`.
package struct DirectiveDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var name: Name
    package var arguments: [InputValueDefinition]
    /// Directives on the directive itself, as a draft of the specification allows.
    package var directives: [Directive]
    package var isRepeatable: Bool
    /// The locations; empty for an extension, which only adds directives.
    package var locations: [Located]
    package var isExtension: Bool
    @Uncompared package var span: Span
    /// Whether the parser left out a part that it could not parse; later stages do not check such a definition.
    @Uncompared package var isBroken = false

    package init(
        description: StringValue? = nil,
        name: Name,
        arguments: [InputValueDefinition] = [],
        directives: [Directive] = [],
        isRepeatable: Bool = false,
        locations: [Located],
        isExtension: Bool = false,
        span: Span = .none
    ) {
        self.description = description
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.isRepeatable = isRepeatable
        self.locations = locations
        self.isExtension = isExtension
        self.span = span
    }

    /// A location and its place.
    package struct Located: Hashable, Sendable {
        package var location: DirectiveLocation
        @Uncompared package var span: Span

        package init(_ location: DirectiveLocation, span: Span = .none) {
            self.location = location
            self.span = span
        }
    }
}

/// A place where a directive may stand. The last two come from drafts of the specification; some servers send them.
///
/// Specification: https://spec.graphql.org/September2025/#DirectiveLocation
package enum DirectiveLocation: String, Hashable, Sendable, CaseIterable {
    case query = "QUERY"
    case mutation = "MUTATION"
    case subscription = "SUBSCRIPTION"
    case field = "FIELD"
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    case fragmentSpread = "FRAGMENT_SPREAD"
    case inlineFragment = "INLINE_FRAGMENT"
    case variableDefinition = "VARIABLE_DEFINITION"

    case schema = "SCHEMA"
    case scalar = "SCALAR"
    case object = "OBJECT"
    case fieldDefinition = "FIELD_DEFINITION"
    case argumentDefinition = "ARGUMENT_DEFINITION"
    case interface = "INTERFACE"
    case union = "UNION"
    case `enum` = "ENUM"
    case enumValue = "ENUM_VALUE"
    case inputObject = "INPUT_OBJECT"
    case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
    case directiveDefinition = "DIRECTIVE_DEFINITION"
    case fragmentVariableDefinition = "FRAGMENT_VARIABLE_DEFINITION"
}
