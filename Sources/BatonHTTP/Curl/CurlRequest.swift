import Foundation

/// A request in the form that libcurl takes.
enum CurlRequest {
    /// What libcurl says itself.
    private static let own: Set<String> = ["content-length", "transfer-encoding", "expect"]

    /// The URL without user and password, which libcurl would send.
    static func url(of request: HTTPRequest) throws(HTTPError) -> String {
        guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = request.url.host, !host.isEmpty
        else { throw .badURL(reason: "it has no host, or its scheme is not 'http' or 'https'") }
        guard request.url.user != nil || request.url.password != nil else { return request.url.absoluteString }
        guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else {
            throw .badURL(reason: "it cannot be read")
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? ""
    }

    /// The fields of the head, and those of libcurl's own that are left out.
    static func lines(of request: HTTPRequest) throws(HTTPError) -> [String] {
        // No server is asked whether it wants a body, and none is told that a body is a form.
        var lines = ["Expect:"]
        if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        if request.headers["Accept"] == nil { lines.append("Accept:") }
        for field in request.headers.fields where !own.contains(field.name.lowercased()) {
            lines.append(try line(field))
        }
        return lines
    }

    /// A field as libcurl takes it.
    private static func line(_ field: HTTPHeaders.Field) throws(HTTPError) -> String {
        // The colon of a field without a value would leave the field out.
        let isBlank = field.value.utf8.allSatisfy { $0 == 32 || $0 == 9 }
        let line = try field.line()
        return isBlank ? "\(field.name);" : line
    }
}
