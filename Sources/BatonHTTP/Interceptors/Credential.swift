/// A header that identifies the user or client that sends a request.
///
/// The value never stands in a description, a debug description or a dump.
public struct Credential: Sendable, Hashable {
    /// The name of the header.
    public let header: String
    /// The value of the header; a secret.
    public let value: String

    /// Makes a credential from the name and the value of a header.
    public init(header: String = "Authorization", value: String) {
        self.header = header
        self.value = value
    }

    /// Makes a credential with a bearer token in the header `Authorization` (RFC 6750).
    public static func bearer(_ token: String) -> Credential { Credential(value: "Bearer \(token)") }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the header.
    public var description: String { "a credential in '\(header)'" }
    /// The name of the header.
    public var debugDescription: String { description }
    /// The name of the header.
    public var customMirror: Mirror { Mirror(self, children: ["header": header]) }
}
