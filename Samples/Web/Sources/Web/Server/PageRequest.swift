import HTML
import HTTPTypes
import Hummingbird

/// What the site reads of a request.
struct PageRequest: Sendable {
    /// The address, as the browser sent it; that of the first page if it is none of this site.
    let address: WebAddress
    let hasAddress: Bool
    /// The token in the cookie, whether anybody is signed in under it or not.
    let token: Token?
    let visitor: Visitor?
    let acceptsGzip: Bool
    let knownVersions: String

    static let cookie = "session"

    init(_ request: Request, _ sessions: Sessions) {
        let sent = WebAddress(sent: request.uri.string)
        address = sent ?? .home
        hasAddress = sent != nil
        token = request.cookies[Self.cookie].flatMap { Token(sent: $0.value) }
        visitor = sessions.visitor(token)
        acceptsGzip = (request.headers[.acceptEncoding] ?? "").contains("gzip")
        knownVersions = request.headers[.ifNoneMatch] ?? ""
    }

    /// True unless a page of another site has sent the request: browsers say where a form stands.
    static func isFromHere(_ request: Request) -> Bool {
        if let origin = request.headers[.origin] {
            let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 && parts[1].isEmpty && String(parts[2]) == request.head.authority
        }
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        return site == nil || site == "same-origin" || site == "none"
    }
}
