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
    var failure: String? { errors.first?.words ?? (result.error ?? fetchError)?.words }
}

extension GraphQLError {
    static let noRepository = "There is no such repository, or it is not yours to see."
    static let itemIsGone = "It is not there any more. It was deleted or moved, or is not yours to see."
    private static let misfit = "The service and this program do not fit each other."

    /// True if the service knows of no object of an id.
    var isOfMissingNode: Bool { message.hasPrefix("Could not resolve to a node") }

    /// The error for a person. What the service writes for people is passed on; what it writes for developers is not.
    var words: String {
        if message.hasPrefix("Could not resolve to a Repository") { return Self.noRepository }
        if message.hasPrefix("Could not resolve to ") { return Self.itemIsGone }
        if message.hasPrefix("API rate limit exceeded") { return "The rate limit is used up." }
        // Errors of the request have a code, or no place in the data.
        if extensions?["code"] != nil || path == nil { return Self.misfit }
        return message
    }
}

extension RelayError {
    /// What happened, for a person: no address, no status without a meaning, no advice for developers.
    var words: String {
        if let error = graphQLErrors.first { return error.words }
        if let error = underlying as? RateLimit.UsedUp { return error.description }
        if let status { return words(of: status) }
        switch code {
        case .timedOut: return "The service does not answer."
        case .transport, .noResponse:
            return publicFailure.status == 504 ? "The service does not answer." : "The service cannot be reached."
        case .cancelled: return "That was given up."
        default: return "The answer of the service cannot be read."
        }
    }

    private func words(of status: Int) -> String {
        if status == 401 { return "The service does not accept the token in GITHUB_TOKEN." }
        if status >= 500 { return "The service has a fault (\(status))." }
        if case .string(let message)? = try? JSONValue.parse(Array((body ?? "").utf8))["message"] { return message }
        return "The service refuses this (\(status))."
    }
}
