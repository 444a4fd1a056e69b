public import Baton

/// How the fields of a schema get their values.
///
/// A field without a resolver of its own takes the one that is registered for an interface of its type, else the member
/// or stored property of its name from the value that its parent's resolver returned. Registering twice replaces.
///
/// A resolver returns a Swift value: numbers, strings, `JSONValue`, values with a raw value for enums and IDs, arrays
/// for lists, anything for objects, nil for null. It is called on the thread that executes the request; state that it
/// changes must be guarded by its owner.
public struct LocalResolvers: Sendable {
    typealias Resolver = @Sendable (_ source: Any, LocalFieldContext) throws -> Any?

    var fields: [String: [String: Resolver]] = [:]
    /// By the name of the abstract type.
    var typeResolvers: [String: @Sendable (Any) throws -> String?] = [:]
    /// The object types of which a Swift type was registered as the source.
    var typeNames: [ObjectIdentifier: [String]] = [:]
    var scalars: [String: @Sendable (Any) throws -> JSONValue?] = [:]

    /// Starts with none.
    public init() {}

    /// Resolves a field whatever its parent is: of a root type, mostly.
    public mutating func field(
        _ type: String,
        _ field: String,
        _ resolve: @escaping @Sendable (LocalFieldContext) throws -> (any Sendable)?
    ) {
        fields[type, default: [:]][field] = { _, context in try resolve(context) }
    }

    /// Resolves a field from a parent of a known Swift type; a parent of another type is an error of that field.
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

    /// Says that an object type is represented by a Swift type, and resolves some of its fields.
    ///
    /// Where the schema has an interface or union, values of the Swift type are taken for this object type.
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

    /// Says which object type a value of an interface or union is; nil leaves it to the other ways.
    public mutating func resolveType(_ type: String, _ resolve: @escaping @Sendable (Any) throws -> String?) {
        typeResolvers[type] = resolve
    }

    /// Writes the values of a custom scalar; values of other Swift types are written as they are.
    public mutating func scalar<Value: Sendable>(
        _ type: String,
        _ value: Value.Type,
        _ serialize: @escaping @Sendable (Value) throws -> JSONValue
    ) {
        scalars[type] = { try ($0 as? Value).map(serialize) }
    }
}

/// The resolvers of one object type with a known Swift type; see `LocalResolvers.object`.
public struct LocalObjectResolvers<Source: Sendable> {
    let type: String
    var resolvers: LocalResolvers

    /// Resolves a field from the parent alone.
    public mutating func field(_ name: String, _ resolve: @escaping @Sendable (Source) throws -> (any Sendable)?) {
        resolvers.field(type, name, of: Source.self) { source, _ in try resolve(source) }
    }

    /// Resolves a field from the parent and its arguments.
    public mutating func field(
        _ name: String,
        _ resolve: @escaping @Sendable (Source, LocalFieldContext) throws -> (any Sendable)?
    ) {
        resolvers.field(type, name, of: Source.self, resolve)
    }
}
