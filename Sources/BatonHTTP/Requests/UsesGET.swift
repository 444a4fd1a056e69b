public import Baton

/// Says for one request whether it is sent with GET, whatever its network says. Only a query can be.
///
///     configuration.context[UsesGET.self] = true
public enum UsesGET: RequestContextKey {
    /// Nil: the network decides.
    public static let defaultValue: Bool? = nil
    /// False: the answer is the same.
    public static var affectsAnswer: Bool { false }
}
