/// A key of a value in a `RequestContext`. The type is the key; it needs no instances.
///
///     enum Tenant: RequestContextKey { static let defaultValue = "public" }
///     configuration.context[Tenant.self] = "north"
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Hashable & Sendable
    /// The value of a context in which none was set.
    static var defaultValue: Value { get }
}

/// Typed values that travel with a request, from its caller to interceptors and transports.
public struct RequestContext: Sendable, Hashable {
    private var values: [ObjectIdentifier: any Hashable & Sendable] = [:]

    /// Makes a context without values.
    public init() {}

    /// The value of a key; its default if none was set.
    public subscript<Key: RequestContextKey>(_ key: Key.Type) -> Key.Value {
        get { values.isEmpty ? Key.defaultValue : value(of: key) }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// This is a function of its own, because its casts ask the runtime for metadata. Nearly every context is empty.
    @inline(never)
    private func value<Key: RequestContextKey>(of key: Key.Type) -> Key.Value {
        values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue
    }

    /// Returns true if the same values were set.
    public static func == (left: RequestContext, right: RequestContext) -> Bool {
        left.values.count == right.values.count
            && left.values.allSatisfy { key, value in right.values[key].map { isEqual(value, $0) } ?? false }
    }

    /// Hashes the keys of the values that were set.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Set(values.keys))
    }

    private static func isEqual<Value: Hashable>(_ left: Value, _ right: any Hashable) -> Bool {
        (right as? Value) == left
    }
}
