/// How text for a terminal is set off: with colours, or not at all.
package enum TextStyle: Hashable, Sendable {
    case plain
    /// With the escape sequences of ANSI terminals, in the basic colours that every theme adapts.
    case colored

    /// What a stretch of text is.
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

    /// The text in the style of its role; without the escape sequences it is the text as it was.
    func callAsFunction(_ text: String, _ role: Role) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(role.codes)m\(text)\u{1B}[0m"
    }
}
