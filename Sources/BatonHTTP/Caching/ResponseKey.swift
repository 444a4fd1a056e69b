import Baton
import BatonText

/// The request for which a `ResponseStorage` is asked.
///
/// Everything that this key shows is a digest: headers, context and variables of a request may be secrets.
public struct ResponseKey: Sendable {
    /// The name of the response that serves everybody who asks the same, in hexadecimal digits; equal in all processes.
    ///
    /// Nil if such a request has no name outside of the process: it has a partition, or a context that affects the
    /// response. A storage outside of the process then has nothing but the versions of the tags.
    public let digest: String?
    /// The name under which one process asks the server for all others. The headers of the request are part of it.
    public let leaseDigest: String?
    /// The tags of the response. Requests with the same digest have the same tags.
    public let tags: [ResponseTag]
    let exact: CacheKey
    let request: NetworkRequest

    /// Makes the key of a request.
    ///
    /// - Parameter hasDigests: False if no storage outside of the process asks for digests, which take time.
    init(_ exact: CacheKey, _ request: NetworkRequest, tags: [ResponseTag], hasDigests: Bool) {
        self.exact = exact
        self.request = request
        self.tags = tags
        digest = hasDigests ? exact.shared.digest : nil
        leaseDigest = !hasDigests ? nil : exact.hasHeaders ? exact.digest : digest
    }

    /// The name of the response among those that differ by headers of the request; nil if `digest` is.
    ///
    /// - Parameter names: The names of the headers, in lower case.
    public func digest(varyingBy names: [String]) -> String? {
        digest.map { digest in
            let values = names.sorted().map { "\($0)=\(request.header($0).map(CacheEntry.digest) ?? "")\n" }
            return SHA256.hexadecimal(of: digest + "\n" + values.joined())
        }
    }

    /// Whether a response serves this request. Headers that `Vary` names must be equal. A request with headers of its
    /// own is served only by a response that the server calls `public`.
    public func isServed(by response: StoredResponse) -> Bool {
        response.entry.serves(request) && (response.entry.freshness.isPublic || !exact.hasHeaders)
    }
}

extension ResponseKey: CustomStringConvertible, CustomReflectable {
    /// The name of the operation.
    public var description: String { exact.description }
    /// No contents, because the headers and the variables may be secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
