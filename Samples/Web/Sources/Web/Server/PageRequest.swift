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
    /// True if nobody knows at the moment who is signed in.
    let isVisitorUnknown: Bool
    /// True for the first page after a review of this visitor has been added.
    let isThanked: Bool
    let acceptsGzip: Bool
    private let knownVersions: String

    static let cookie = "session"
    static let thanks = "thanks"

    init(_ request: Request, _ sessions: any SessionKeeper) async {
        let sent = WebAddress(sent: request.uri.string)
        address = sent ?? .home
        hasAddress = sent != nil
        let cookies = request.cookies
        token = cookies[Self.cookie].flatMap { Token(sent: $0.value) }
        do {
            visitor = if let token { try await sessions.visitor(token) } else { nil }
            isVisitorUnknown = false
        } catch {
            // The pages are there for everybody.
            (visitor, isVisitorUnknown) = (nil, true)
        }
        isThanked = cookies[Self.thanks] != nil
        acceptsGzip = Self.acceptsGzip(request.headers[.acceptEncoding])
        knownVersions = request.headers[.ifNoneMatch] ?? ""
    }

    /// True if the page says nothing that is for one visitor alone.
    var isAnybody: Bool { visitor == nil && !isThanked }

    /// True if the browser has this version of a page, `W/"..."` (RFC 9110, section 13.1.2: weak tags are equal if what
    /// stands in quotes is).
    func knows(_ version: String) -> Bool {
        guard !knownVersions.isEmpty else { return false }
        return knownVersions == "*" || knownVersions.contains(version.drop { $0 != "\"" })
    }

    /// Reads the header `Accept-Encoding` (RFC 9110, section 12.5.3).
    static func acceptsGzip(_ header: String?) -> Bool {
        var rest = false
        for coding in (header ?? "").lowercased().split(separator: ",") {
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            let isAccepted = weight.map { $0 > 0 } ?? true
            if name == "gzip" || name == "x-gzip" { return isAccepted }
            if name == "*" { rest = isAccepted }
        }
        return rest
    }

    private static let forwardedScheme = HTTPField.Name("X-Forwarded-Proto")

    /// How the browser has reached the site: a proxy in front of it may speak TLS.
    static func scheme(of request: Request) -> String {
        forwardedScheme.flatMap { request.headers[$0] }?.lowercased() == "https" ? "https" : "http"
    }

    /// True unless a page of another site has sent the request: browsers say where a form stands.
    static func isFromHere(_ request: Request) -> Bool {
        if let origin = request.headers[.origin] {
            return origin == "\(scheme(of: request))://\(request.head.authority ?? "")"
        }
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        return site == nil || site == "same-origin" || site == "none"
    }
}
