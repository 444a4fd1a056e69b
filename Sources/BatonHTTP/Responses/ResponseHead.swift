import Baton
import Foundation

/// The status and the header fields of a response, without the body.
struct ResponseHead: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let mediaType: MediaType?

    init(status: Int, headers: HTTPHeaders) {
        self.status = status
        self.headers = headers
        mediaType = headers["Content-Type"].flatMap { MediaType($0) }
    }

    var contentType: String? { headers["Content-Type"] }
    var isSuccess: Bool { (200..<300).contains(status) }

    /// The status and all fields by their names in lower case, as `NetworkResponse.metadata` has them.
    var metadata: [String: String] {
        var metadata = ["status": String(status)]
        for field in headers.fields {
            let name = field.name.lowercased()
            // In place, because a server may send one name ten thousand times.
            if metadata[name]?.append(", \(field.value)") == nil { metadata[name] = field.value }
        }
        // A header field with the name `status` does not replace the status.
        metadata["status"] = String(status)
        return metadata
    }

    /// The time that the server asks to wait before another request (RFC 9110, 10.2.3).
    func retryAfter(now: Date = Date()) -> Duration? { headers["Retry-After"].flatMap { Self.wait($0, now: now) } }

    /// The time from now that the value of a field `Retry-After` means; nil if the value is malformed or longer than a
    /// year.
    static func wait(_ retryAfter: String, now: Date = Date()) -> Duration? {
        let value = retryAfter.trimmingCharacters(in: .whitespaces)
        if let seconds = Int(value) { return (0...longestWait).contains(seconds) ? .seconds(seconds) : nil }
        guard let date = HTTPDate.parse(value) else { return nil }
        let seconds = Int(date.timeIntervalSince(now).rounded(.up))
        return seconds <= longestWait ? .seconds(max(0, seconds)) : nil
    }

    /// A year in seconds. Longer waits are ignored.
    private static let longestWait = 366 * 24 * 60 * 60
}

extension HTTPHeaders {
    /// The time that the server asks to wait before another request, from its field `Retry-After` (RFC 9110, 10.2.3).
    ///
    /// Nil if there is no such field, if the value is malformed, or if the time is longer than a year. A transport of
    /// WebSockets puts this time into the error for a refused handshake.
    public var retryAfter: Duration? { self["Retry-After"].flatMap { ResponseHead.wait($0) } }
}
