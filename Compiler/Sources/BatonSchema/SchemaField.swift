import BatonDiagnostics
import BatonSyntax

/// A field of an object or interface; immutable, and one instance per definition.
package final class SchemaField: Sendable {
    package let name: String
    package let type: TypeReference
    package let arguments: [SchemaInputValue]
    package let description: String?
    /// The reason of `@deprecated`, or nil when the field is in good standing.
    package let deprecation: String?
    package let directives: [Directive]
    /// Whether the field is known to the client alone.
    package let isClientOnly: Bool
    /// The name in the definition, or `.none`.
    package let span: Span
    /// The type in the definition, or where the name is.
    package let typeSpan: Span

    package init(
        name: String,
        type: TypeReference,
        arguments: [SchemaInputValue] = [],
        description: String? = nil,
        deprecation: String? = nil,
        directives: [Directive] = [],
        isClientOnly: Bool = false,
        span: Span = .none,
        typeSpan: Span? = nil
    ) {
        self.name = name
        self.type = type
        self.arguments = arguments
        self.description = description
        self.deprecation = deprecation
        self.directives = directives
        self.isClientOnly = isClientOnly
        self.span = span
        self.typeSpan = typeSpan ?? span
    }

    /// The argument of a name; a field has few, so they are searched in order.
    package func argument(named name: String) -> SchemaInputValue? {
        arguments.first { $0.name == name }
    }
}

/// An argument of a field or directive, or a field of an input object.
package final class SchemaInputValue: Sendable {
    package let name: String
    package let type: TypeReference
    package let defaultValue: Value?
    package let description: String?
    package let deprecation: String?
    package let directives: [Directive]
    /// The name in the definition, or `.none`.
    package let span: Span
    /// The type in the definition, or where the name is.
    package let typeSpan: Span

    package init(
        name: String,
        type: TypeReference,
        defaultValue: Value? = nil,
        description: String? = nil,
        deprecation: String? = nil,
        directives: [Directive] = [],
        span: Span = .none,
        typeSpan: Span? = nil
    ) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.description = description
        self.deprecation = deprecation
        self.directives = directives
        self.span = span
        self.typeSpan = typeSpan ?? span
    }

    /// Whether a value must be given: the type is non-null and there is no default.
    package var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// A value of an enum; its name is what documents write.
package struct SchemaEnumValue: Sendable {
    package let name: String
    package let description: String?
    package let deprecation: String?
    package let directives: [Directive]
    package let span: Span

    package init(
        name: String,
        description: String? = nil,
        deprecation: String? = nil,
        directives: [Directive] = [],
        span: Span = .none
    ) {
        self.name = name
        self.description = description
        self.deprecation = deprecation
        self.directives = directives
        self.span = span
    }
}

/// A directive that documents or schemas may use.
package final class SchemaDirective: Sendable {
    package let name: String
    package let arguments: [SchemaInputValue]
    /// Those on the definition itself.
    package let directives: [Directive]
    package let locations: Set<DirectiveLocation>
    package let isRepeatable: Bool
    package let description: String?
    package let origin: Origin
    package let span: Span

    /// Who declares a directive, which decides where it may be used and whether a server knows it.
    package enum Origin: Hashable, Sendable {
        /// Declared in the schema's documents.
        case schema
        /// Predeclared by the specification.
        case specification
        /// One of Relay's own, which no schema needs to declare and no server knows.
        case relay
        /// Declared in a client schema extension.
        case client
    }

    package init(
        name: String,
        arguments: [SchemaInputValue],
        directives: [Directive] = [],
        locations: Set<DirectiveLocation>,
        isRepeatable: Bool = false,
        description: String? = nil,
        origin: Origin,
        span: Span = .none
    ) {
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.locations = locations
        self.isRepeatable = isRepeatable
        self.description = description
        self.origin = origin
        self.span = span
    }

    package func argument(named name: String) -> SchemaInputValue? {
        arguments.first { $0.name == name }
    }

    /// Whether its arguments are not declared: those of Relay's `@arguments` and `@argumentDefinitions`, also where a
    /// schema declares the names for tools that do not know them.
    package var takesAnyArgument: Bool {
        arguments.isEmpty && (name == "arguments" || name == "argumentDefinitions")
    }
}
