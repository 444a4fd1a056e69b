import Baton
import Foundation
import TerminalRenderer

extension Text {
    /// A label in its colour, which has six hexadecimal digits.
    static func label(_ name: String, _ color: String) -> Text {
        .badge(name, Color(hexadecimal: color) ?? .brightBlack)
    }
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

extension Date {
    /// The time since a date in words of at most four columns.
    func age(of date: Date?) -> String {
        guard let date else { return "" }
        let minutes = Int(timeIntervalSince(date) / 60)
        switch minutes {
        case ..<1: return "now"
        case ..<60: return "\(minutes)m"
        case ..<(24 * 60): return "\(minutes / 60)h"
        case ..<(60 * 24 * 60): return "\(minutes / 60 / 24)d"
        case ..<(730 * 24 * 60): return "\(minutes / 60 / 24 / 30)mo"
        default: return "\(minutes / 60 / 24 / 365)y"
        }
    }
}
