import Foundation

/// Where the URL of a WebSocket leads to.
struct CurlSocketTarget {
    /// The URL for libcurl, which has no path and nothing secret.
    let url: String
    /// The value of `Host`.
    let authority: String
    /// Path and query.
    let resource: String

    init(_ url: URL) throws(HTTPError) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.percentEncodedHost, !host.isEmpty
        else { throw .badURL(reason: "it has no host") }
        let isSecure: Bool
        switch parts.scheme?.lowercased() {
        case "ws", "http": isSecure = false
        case "wss", "https": isSecure = true
        default: throw .badURL(reason: "its scheme is not that of WebSockets")
        }
        let isUsualPort = parts.port == nil || parts.port == (isSecure ? 443 : 80)
        authority = host + (isUsualPort ? "" : parts.port.map { ":\($0)" } ?? "")
        self.url = "\(isSecure ? "https" : "http")://\(authority)/"
        let path = parts.percentEncodedPath
        resource = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}
