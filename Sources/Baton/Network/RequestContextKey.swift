/// A key of a value in a `RequestContext`. The type is the key; it needs no instances.
///
///     enum Tenant: RequestContextKey { static let defaultValue = "public" }
///     configuration.context[Tenant.self] = "north"
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Hashable & Sendable
    /// The value of a context in which none was set.
    static var defaultValue: Value { get }
    /// True if the response may depend on the value, as on a tenant; the default. A cache of responses ignores the
    /// other values, such as a priority, and so does the sharing of requests.
    static var affectsResponse: Bool { get }
}

extension RequestContextKey {
    /// True, because an unknown value may affect the response.
    public static var affectsResponse: Bool { true }
}
