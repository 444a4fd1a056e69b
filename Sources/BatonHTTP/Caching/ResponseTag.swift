import BatonText

/// A name for responses that become outdated together.
///
/// Every response has the tag `*`, the name of its operation, and the tags that the application derives from its
/// request.
public struct ResponseTag: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The tag of all responses.
    public static let all = ResponseTag("*")

    /// The text of the tag. It may be made of variables, so that it should not leave the process.
    public let name: String

    /// Makes a tag.
    public init(_ name: String) { self.name = name }

    /// Makes a tag: `"films"`, `"film:\(id)"`.
    public init(stringLiteral name: String) { self.init(name) }

    /// A digest of the text, in hexadecimal digits.
    public var digest: String { String(SHA256.hexadecimal(of: name).prefix(32)) }
}
