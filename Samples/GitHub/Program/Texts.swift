import Baton
import Foundation
import TerminalRenderer

/// A label in its colour, which has six hexadecimal digits.
func labelText(_ name: String, _ color: String, isPlain: Bool = false) -> Text {
    let bits = UInt32(color, radix: 16) ?? 0x888888
    let (red, green, blue) = (bits >> 16 & 0xFF, bits >> 8 & 0xFF, bits & 0xFF)
    let isLight = 299 * red + 587 * green + 114 * blue > 128_000
    return Text(" \(name) ", isPlain ? .plain : Style(foreground: .rgb(isLight ? 0 : 0xFFFFFF), background: .rgb(bits)))
}

extension RelayError {
    /// What the service says, or what happened.
    var words: String { graphQLErrors.first?.message ?? description }
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
