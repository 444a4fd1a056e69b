/// Typed values that travel with a request, from its caller to interceptors and transports.
public struct RequestContext: Sendable, Hashable {
    private struct Entry: Sendable {
        let value: any Hashable & Sendable
        let affectsResponse: Bool
    }

    private var values: [ObjectIdentifier: Entry] = [:]

    /// Makes a context without values.
    public init() {}

    /// The value of a key; its default if none was set.
    public subscript<Key: RequestContextKey>(_ key: Key.Type) -> Key.Value {
        get { values.isEmpty ? Key.defaultValue : value(of: key) }
        set { values[ObjectIdentifier(key)] = Entry(value: newValue, affectsResponse: key.affectsResponse) }
    }

    /// The lookup is a function of its own, because its casts request metadata. Nearly every context is empty.
    @inline(never)
    private func value<Key: RequestContextKey>(of key: Key.Type) -> Key.Value {
        values[ObjectIdentifier(key)]?.value as? Key.Value ?? Key.defaultValue
    }

    /// The values on which the response may depend.
    package var affectingResponse: RequestContext {
        var context = self
        if !values.isEmpty { context.values = values.filter(\.value.affectsResponse) }
        return context
    }

    /// Returns true if the same values were set.
    public static func == (left: RequestContext, right: RequestContext) -> Bool {
        left.values.count == right.values.count
            && left.values.allSatisfy { key, value in right.values[key].map { isEqual(value.value, $0.value) } ?? false
            }
    }

    /// Hashes the keys of the values that were set.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Set(values.keys))
    }

    private static func isEqual<Value: Hashable>(_ left: Value, _ right: any Hashable) -> Bool {
        (right as? Value) == left
    }
}
