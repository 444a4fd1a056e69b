public import Baton

/// The key in a request's context that overrides its network's choice between GET and POST. Only queries are sent with
/// GET.
///
///     configuration.context[UsesGET.self] = true
public enum UsesGET: RequestContextKey {
    /// Nil: the network decides.
    public static let defaultValue: Bool? = nil
    /// False: the method of a request does not affect its response.
    public static var affectsResponse: Bool { false }
}
