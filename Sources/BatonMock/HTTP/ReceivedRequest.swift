import BatonHTTP
import Foundation

/// A request as a client has sent it.
struct ReceivedRequest: Sendable, Equatable {
    let method: String
    /// What follows the method: a path, and the parameters behind a question mark.
    let target: String
    /// True for HTTP/1.0, which knows neither chunks nor, by default, a second request.
    let isOldVersion: Bool
    let headers: HTTPHeaders
    var body: [UInt8] = []

    /// True if the client wants to send another request over the connection.
    var keepsConnection: Bool {
        let wishes = Self.names(in: headers["Connection"])
        return isOldVersion ? wishes.contains("keep-alive") : !wishes.contains("close")
    }

    /// The path, without scheme and host.
    var path: String { String(place.prefix { $0 != "?" }) }

    /// The parameters of the target, decoded, in order. One that is not UTF-8 is left out.
    var parameters: [(name: String, value: String)] {
        guard let mark = place.firstIndex(of: "?") else { return [] }
        return place[place.index(after: mark)...].split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.count > 1 ? parts[1] : "") else {
                return nil
            }
            return (name, value)
        }
    }

    /// The first value of a parameter.
    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The names of a list in a field, in lower case.
    static func names(in value: String?) -> [String] {
        (value ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }

    /// The target without its fragment, and without scheme and host, which a client may send to a proxy.
    private var place: Substring {
        let target = target.prefix { $0 != "#" }
        guard let scheme = target.range(of: "://"), target.first != "/" else { return target }
        return target[scheme.upperBound...].drop { $0 != "/" }
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }
}
