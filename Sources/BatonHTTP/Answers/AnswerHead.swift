import Baton
import Foundation

/// What is known of an answer before its body.
struct AnswerHead: Sendable {
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
            metadata[name] = metadata[name].map { "\($0), \(field.value)" } ?? field.value
        }
        // A field of this name must not be taken for the status.
        metadata["status"] = String(status)
        return metadata
    }

    /// The time that the server asks to wait before another request (RFC 9110, 10.2.3).
    func retryAfter(now: Date = Date()) -> Duration? {
        guard let value = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int(value) { return (0...Self.longestWait).contains(seconds) ? .seconds(seconds) : nil }
        guard let date = HTTPDate.parse(value) else { return nil }
        let seconds = Int(date.timeIntervalSince(now).rounded(.up))
        return seconds <= Self.longestWait ? .seconds(max(0, seconds)) : nil
    }

    /// A year. A server that asks for more is not taken seriously.
    private static let longestWait = 366 * 24 * 60 * 60
}

/// A date of HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7); the obsolete forms are not read.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func parse(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])),
            let year = Int(parts[3]), (1970...9999).contains(year), (1...31).contains(day)
        else { return nil }
        let time = parts[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0...60).contains(time[2])
        else { return nil }
        // Days since 1970 by the civil calendar, whose year begins in March here.
        let shifted = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]))
    }
}
