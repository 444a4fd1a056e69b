import BatonDiagnostics
import BatonSyntax

/// A field of an object or interface; immutable, with one instance for each definition.
package final class SchemaField: Sendable {
    package let name: String
    package let type: TypeReference
    package let arguments: [SchemaInputValue]
    package let description: String?
    /// The reason of `@deprecated`; nil if the field is not deprecated.
    package let deprecation: String?
    package let directives: [Directive]
    /// Whether only the client knows the field.
    package let isClientOnly: Bool
    /// The place of the name in the definition, or `.none`.
    package let span: Span
    /// The place of the type in the definition, or else that of the name.
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

    /// Whether this is Relay's `__id`, the data ID of a record. The store has its value, which is a `String` in Swift.
    package var isDataID: Bool { isClientOnly && name == Self.dataIDName }
    package static let dataIDName = "__id"

    /// The argument with a name; searched in order, because fields have few arguments.
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
    /// The place of the name in the definition, or `.none`.
    package let span: Span
    /// The place of the type in the definition, or else that of the name.
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

/// A value of an enum; documents write its name.
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
    /// The directives on the definition itself.
    package let directives: [Directive]
    package let locations: Set<DirectiveLocation>
    package let isRepeatable: Bool
    package let description: String?
    package let origin: Origin
    package let span: Span

    /// The origin of a directive, which decides where it may be used and whether a server knows it.
    package enum Origin: Hashable, Sendable {
        /// The schema's documents declare the directive.
        case schema
        /// The specification predeclares the directive.
        case specification
        /// The directive is one of Relay's; no schema declares it and no server knows it.
        case relay
        /// A client schema extension declares the directive.
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

    /// Whether the arguments are not checked, because the directive is one of Relay's that the compiler refuses. Its
    /// arguments differ between versions of Relay.
    package var hasUncheckedArguments: Bool { origin == .relay && Predeclared.refused.contains(name) }

    /// Whether the directive accepts any arguments, as Relay's `@arguments` and `@argumentDefinitions` do. A schema may
    /// also declare these names without arguments, for tools that do not know them.
    package var takesAnyArgument: Bool {
        arguments.isEmpty
            && (name == "arguments" || name == "argumentDefinitions" || name == "uncheckedArguments_DEPRECATED")
    }
}
