public import Baton

/// The resolvers of a schema's fields.
///
/// A field without a resolver uses the resolver that is registered for an interface of its type. Without such a
/// resolver, the value is the member or stored property of the field's name in the parent's value. Registering a field
/// again replaces its resolver.
///
/// A resolver returns a Swift value: numbers, strings, `JSONValue`, values with a raw value for enums and IDs, arrays
/// for lists, any value for objects, nil for null. It runs on the thread that executes the request. A resolver that
/// changes state must guard this state.
public struct LocalResolvers: Sendable {
    typealias Resolver = @Sendable (_ source: Any, LocalFieldContext) throws -> Any?

    var fields: [String: [String: Resolver]] = [:]
    /// The resolvers of types, by the name of the abstract type.
    var typeResolvers: [String: @Sendable (Any) throws -> String?] = [:]
    /// The names of the object types for which a Swift type was registered, by Swift type.
    var typeNames: [ObjectIdentifier: [String]] = [:]
    var scalars: [String: @Sendable (Any) throws -> JSONValue?] = [:]

    /// Makes an empty set of resolvers.
    public init() {}

    /// Registers a resolver that ignores the parent's value, mostly for fields of a root type.
    public mutating func field(
        _ type: String,
        _ field: String,
        _ resolve: @escaping @Sendable (LocalFieldContext) throws -> (any Sendable)?
    ) {
        fields[type, default: [:]][field] = { _, context in try resolve(context) }
    }

    /// Registers a resolver for parents of one Swift type. For a parent of another type, the field has an error.
    public mutating func field<Source: Sendable>(
        _ type: String,
        _ field: String,
        of source: Source.Type,
        _ resolve: @escaping @Sendable (Source, LocalFieldContext) throws -> (any Sendable)?
    ) {
        fields[type, default: [:]][field] = { value, context in
            guard let value = value as? Source else {
                throw LocalError(
                    "the resolver of '\(type).\(field)' takes a \(Source.self), but the parent is a \(Swift.type(of: value))"
                )
            }
            return try resolve(value, context)
        }
    }

    /// Registers a Swift type for the values of an object type, and resolvers for some of its fields.
    ///
    /// Where the schema has an interface or a union, a value of the Swift type is an object of this type.
    public mutating func object<Source: Sendable>(
        _ type: String,
        _ source: Source.Type,
        _ describe: (inout LocalObjectResolvers<Source>) -> Void = { _ in }
    ) {
        typeNames[ObjectIdentifier(source), default: []].append(type)
        var object = LocalObjectResolvers<Source>(type: type, resolvers: self)
        describe(&object)
        self = object.resolvers
    }

    /// Registers a closure that names the object type of a value of an interface or a union.
    ///
    /// If the closure returns nil, the value itself or its Swift type decides.
    public mutating func resolveType(_ type: String, _ resolve: @escaping @Sendable (Any) throws -> String?) {
        typeResolvers[type] = resolve
    }

    /// Registers the JSON form of a custom scalar. Values of other Swift types are written as without this form.
    public mutating func scalar<Value: Sendable>(
        _ type: String,
        _ value: Value.Type,
        _ serialize: @escaping @Sendable (Value) throws -> JSONValue
    ) {
        scalars[type] = { try ($0 as? Value).map(serialize) }
    }
}

/// Registers resolvers for one object type whose values have a known Swift type; see `LocalResolvers.object`.
public struct LocalObjectResolvers<Source: Sendable> {
    let type: String
    var resolvers: LocalResolvers

    /// Registers a resolver that gets the parent's value.
    public mutating func field(_ name: String, _ resolve: @escaping @Sendable (Source) throws -> (any Sendable)?) {
        resolvers.field(type, name, of: Source.self) { source, _ in try resolve(source) }
    }

    /// Registers a resolver that gets the parent's value and the field's context with its arguments.
    public mutating func field(
        _ name: String,
        _ resolve: @escaping @Sendable (Source, LocalFieldContext) throws -> (any Sendable)?
    ) {
        resolvers.field(type, name, of: Source.self, resolve)
    }
}
