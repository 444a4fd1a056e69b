import BatonDiagnostics
import Foundation

/// The URL of a GraphQL server.
package struct ServerAddress: Hashable, Sendable {
    /// The URL as it is sent, without a fragment.
    let text: String
    /// Scheme, host and port: headers with secrets may only go here.
    let origin: String
    let isSecure: Bool
    private let url: URL

    package init(_ text: String) throws(FetchFailure) {
        let quoted = "'\(Self.withoutQuery(text).printable)'"
        guard let url = URL(string: text), let address = Self(url) else {
            throw FetchFailure(
                "\(quoted) is no URL of a server", suggestion: "it looks like 'https://example.com/graphql'")
        }
        guard url.user == nil, url.password == nil else {
            throw FetchFailure(
                "the URL has a user or a password",
                suggestion: "send them in a header, such as --header 'Authorization: Basic $CREDENTIALS'")
        }
        self = address
    }

    private init?(_ url: URL) {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host?.lowercased(), !host.isEmpty, (1...65_535).contains(parts.port ?? 80)
        else { return nil }
        parts.fragment = nil
        guard let text = parts.string else { return nil }
        isSecure = scheme == "https"
        origin = "\(scheme)://\(host):\(parts.port ?? (isSecure ? 443 : 80))"
        self.text = text
        self.url = url
    }

    /// The address that a redirect leads to; nil if that is none.
    func redirected(to location: String) -> ServerAddress? {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.user == nil else { return nil }
        return Self(target)
    }

    /// The variable that names the proxy for this address, if one is set. Only for messages: the library reads it.
    package func proxyVariable(in environment: [String: String]) -> String? {
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).first { environment[$0]?.isEmpty == false }
    }

    /// The URL in messages: without its query, which may have a key.
    package var displayed: String { Self.withoutQuery(text).printable }

    private static func withoutQuery(_ text: String) -> String {
        String(text.prefix { $0 != "?" && $0 != "#" })
    }
}
