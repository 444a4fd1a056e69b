/// The style of text on a terminal: plain or colored.
package enum TextStyle: Hashable, Sendable {
    case plain
    /// Colored with ANSI escape sequences, in the basic colors that every theme adapts.
    case colored

    /// The role of a piece of text, which determines its color.
    enum Role: Hashable, Sendable {
        case position
        case message
        case error
        case warning
        case note
        case help
        /// Line numbers, rules and ids.
        case margin

        init(_ severity: Severity) {
            switch severity {
            case .error: self = .error
            case .warning: self = .warning
            }
        }

        fileprivate var codes: String {
            switch self {
            case .position, .message: "1"
            case .error: "1;31"
            case .warning: "1;33"
            case .note: "1;36"
            case .help: "1;32"
            case .margin: "2"
            }
        }
    }

    /// The text with the escape sequences of its role; a plain style returns the text unchanged.
    func callAsFunction(_ text: String, _ role: Role) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(role.codes)m\(text)\u{1B}[0m"
    }
}
