/// A key of a value in a `RequestContext`. The type is the key; it needs no instances.
///
///     enum Tenant: RequestContextKey { static let defaultValue = "public" }
///     configuration.context[Tenant.self] = "north"
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Hashable & Sendable
    /// The value of a context in which none was set.
    static var defaultValue: Value { get }
    /// Whether the answer may depend on the value, as on a tenant; true if a key does not say. A cache of answers, and
    /// requests that are sent together, ignore values that are only about the way to the answer, such as a priority.
    static var affectsAnswer: Bool { get }
}

extension RequestContextKey {
    /// True: what is not known may matter.
    public static var affectsAnswer: Bool { true }
}
