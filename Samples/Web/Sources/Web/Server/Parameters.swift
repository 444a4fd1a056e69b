import Foundation

/// The fields of a form, or of the query of an address. Of fields with one name the last counts.
struct Parameters: Sendable {
    private var values: [String: String] = [:]

    /// No fields.
    init() {}

    /// Takes `a=b&c=d` (URL standard, section 5.1); nil for a text that is no such list.
    init?(encoded text: String?) {
        for pair in (text ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = decoded[0], let value = decoded.count > 1 ? decoded[1] : "" else { return nil }
            values[name] = value
        }
    }

    subscript(name: String) -> String? { values[name] }
}
