import Baton
import TerminalRenderer

extension Color {
    /// The colour of a label, of six hexadecimal digits.
    static func label(_ digits: String) -> Color { Color(hexadecimal: digits) ?? .brightBlack }
}

extension Text {
    /// Why something is not there, and the key that tries again.
    static func failure(_ reason: String) -> Text { Text(reason, .color(.red)) + Text("  r tries again", .dim) }
}

extension RawRepresentable<String> {
    /// The words of a name of the schema, such as `NOT_PLANNED`.
    var words: String { rawValue.lowercased().replacing("_", with: " ") }
}

extension QueryHandle {
    /// Why there is no data, or why it is not the newest one.
    var failure: String? { errors.first?.message ?? (result.error ?? fetchError)?.words }
}

extension RelayError {
    /// What the service says, or what happened.
    var words: String { graphQLErrors.first?.message ?? description }

    /// Why the service cannot be reached.
    var cause: String {
        if case .httpStatus(let status, _, _) = self { return "the server answers \(status)" }
        return underlying.map { "\($0)" } ?? description
    }
}
