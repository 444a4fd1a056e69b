import Baton
import BatonSchema
import BatonSyntax

/// The resolvers of the introspection types.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Introspection
enum Introspection {
    /// A type as `__Type` describes it: a named type, a list or a non-null type.
    private struct TypeSource: Sendable {
        let reference: TypeReference
    }

    static func resolvers(for schema: Schema) -> LocalResolvers {
        var resolvers = LocalResolvers()
        describeRoot(schema, &resolvers)
        describeType(schema, &resolvers)
        describeMembers(schema, &resolvers)
        return resolvers
    }

    private static func source(_ type: SchemaType?) -> TypeSource? {
        type.map { TypeSource(reference: TypeReference($0.id)) }
    }

    private static func describeRoot(_ schema: Schema, _ resolvers: inout LocalResolvers) {
        if let query = schema.queryType {
            resolvers.field(query.name, "__schema") { _ in schema }
            resolvers.field(query.name, "__type") { context in
                source(context.arguments.string("name").flatMap { schema.type(named: $0) })
            }
        }
        resolvers.object("__Schema", Schema.self) { type in
            type.field("description") { $0.description }
            type.field("types") { schema in schema.types.map { source($0) } }
            type.field("queryType") { source($0.queryType) }
            type.field("mutationType") { source($0.mutationType) }
            type.field("subscriptionType") { source($0.subscriptionType) }
            type.field("directives") { schema in
                schema.directives.values.filter { $0.origin != .relay }.sorted { $0.name < $1.name }
            }
        }
        resolvers.object("__Directive", SchemaDirective.self) { type in
            type.field("name") { $0.name }
            type.field("description") { $0.description }
            type.field("isRepeatable") { $0.isRepeatable }
            // A draft has further locations, which the enum does not know.
            let known = schema.type(named: "__DirectiveLocation")
            type.field("locations") { directive in
                directive.locations.map(\.rawValue).filter { known?.enumValue(named: $0) != nil }.sorted()
            }
            type.field("args") { $0.arguments }
        }
    }

    private static func describeType(_ schema: Schema, _ resolvers: inout LocalResolvers) {
        @Sendable func named(_ source: TypeSource) -> SchemaType? {
            if case .named(let id) = source.reference.shape { schema[id] } else { nil }
        }
        resolvers.object("__Type", TypeSource.self) { type in
            type.field("kind") { source in
                switch source.reference.shape {
                case .list: "LIST"
                case .nonNull: "NON_NULL"
                case .named(let id): keyword(schema[id].kind)
                }
            }
            type.field("name") { source in named(source)?.name }
            type.field("description") { source in named(source)?.description }
            type.field("specifiedByURL") { source in named(source)?.specifiedByURL }
            type.field("fields") { source, context in
                guard let type = named(source), type.kind == .object || type.kind == .interface else { return nil }
                let all = context.arguments.bool("includeDeprecated") ?? false
                return type.fields.filter { all || $0.deprecation == nil }
            }
            type.field("interfaces") { source in
                guard let type = named(source), type.kind == .object || type.kind == .interface else { return nil }
                return type.interfaces.map { TypeSource(reference: TypeReference($0)) }
            }
            type.field("possibleTypes") { source in
                guard let type = named(source), type.isAbstract else { return nil }
                return schema.possibleTypes(of: type).map { TypeSource(reference: TypeReference($0.id)) }
            }
            type.field("enumValues") { source, context in
                guard let type = named(source), type.kind == .enum else { return nil }
                let all = context.arguments.bool("includeDeprecated") ?? false
                return type.enumValues.filter { all || $0.deprecation == nil }
            }
            type.field("inputFields") { source, context in
                guard let type = named(source), type.kind == .inputObject else { return nil }
                let all = context.arguments.bool("includeDeprecated") ?? false
                return type.inputFields.filter { all || $0.deprecation == nil }
            }
            type.field("ofType") { source in
                switch source.reference.shape {
                case .list(let inner), .nonNull(let inner): TypeSource(reference: inner)
                case .named: nil
                }
            }
            type.field("isOneOf") { source in
                guard let type = named(source), type.kind == .inputObject else { return nil }
                return type.isOneOf
            }
        }
    }

    private static func describeMembers(_ schema: Schema, _ resolvers: inout LocalResolvers) {
        resolvers.object("__Field", SchemaField.self) { type in
            type.field("name") { $0.name }
            type.field("description") { $0.description }
            type.field("args") { $0.arguments }
            type.field("type") { TypeSource(reference: $0.type) }
            type.field("isDeprecated") { $0.deprecation != nil }
            type.field("deprecationReason") { $0.deprecation }
        }
        resolvers.object("__InputValue", SchemaInputValue.self) { type in
            type.field("name") { $0.name }
            type.field("description") { $0.description }
            type.field("type") { TypeSource(reference: $0.type) }
            type.field("defaultValue") { value in
                guard let value = value.defaultValue else { return nil }
                return Printer.print(value)
            }
            type.field("isDeprecated") { $0.deprecation != nil }
            type.field("deprecationReason") { $0.deprecation }
        }
        resolvers.object("__EnumValue", SchemaEnumValue.self) { type in
            type.field("name") { $0.name }
            type.field("description") { $0.description }
            type.field("isDeprecated") { $0.deprecation != nil }
            type.field("deprecationReason") { $0.deprecation }
        }
    }

    private static func keyword(_ kind: SchemaType.Kind) -> String {
        switch kind {
        case .scalar: "SCALAR"
        case .object: "OBJECT"
        case .interface: "INTERFACE"
        case .union: "UNION"
        case .enum: "ENUM"
        case .inputObject: "INPUT_OBJECT"
        }
    }
}
