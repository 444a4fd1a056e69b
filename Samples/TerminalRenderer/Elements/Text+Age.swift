public import Foundation

extension Text {
    /// The time from a date to another one, in at most four columns: "now", "5m", "3h", "12d", "7mo", "2y"; empty
    /// without a date.
    public static func age(of date: Date?, at now: Date, _ style: Style = .plain) -> Text {
        guard let date else { return Text("") }
        // Dates of a service may be far away; the last age is 999 years.
        let minutes = Int(max(0, min(999 * 365 * 24 * 60, now.timeIntervalSince(date) / 60)))
        let words =
            switch minutes {
            case ..<1: "now"
            case ..<60: "\(minutes)m"
            case ..<(24 * 60): "\(minutes / 60)h"
            case ..<(60 * 24 * 60): "\(minutes / 60 / 24)d"
            case ..<(730 * 24 * 60): "\(minutes / 60 / 24 / 30)mo"
            default: "\(minutes / 60 / 24 / 365)y"
            }
        return Text(words, style)
    }
}
