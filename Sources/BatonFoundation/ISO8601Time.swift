import Foundation

/// Reads the date and time formats of ISO 8601 that servers use, byte by byte.
///
/// Foundation's own style is not used: it accepts 30 February and text behind the end, loses the last digits of a
/// fraction, and refuses times without seconds.
struct ISO8601Time {
    private var rest: Substring.UTF8View

    /// Reads a date with a time. A date alone means midnight in UTC; a time without an offset is in UTC.
    ///
    /// - Returns: Nil for any other text, and for dates outside the years 0 to 9999 in UTC.
    static func dateTime(_ text: String) -> Date? {
        guard var reader = ISO8601Time(text), let day = reader.day() else { return nil }
        if reader.rest.isEmpty { return date(second: day * secondsOfDay) }
        guard reader.skip(either: "T", "t") || reader.skip(either: " ", " "), let time = reader.timeOfDay(),
            let offset = reader.offset(), reader.rest.isEmpty
        else { return nil }
        return date(second: day * secondsOfDay + time.second - offset, nanosecond: time.nanosecond)
    }

    /// Reads a date without a time, as its midnight in UTC.
    static func date(_ text: String) -> Date? {
        guard var reader = ISO8601Time(text), let day = reader.day(), reader.rest.isEmpty else { return nil }
        return date(second: day * secondsOfDay)
    }

    /// Longer texts are refused before they are read: no sensible date has so many digits.
    private static let maximumLength = 64
    private static let secondsOfDay = 86_400

    private init?(_ text: String) {
        rest = text[...].utf8
        guard rest.count <= Self.maximumLength else { return nil }
    }

    private static func date(second: Int, nanosecond: Int = 0) -> Date? {
        guard CalendarDay.seconds.contains(second) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(second) + Double(nanosecond) / 1e9)
    }

    /// Reads `yyyy-MM-dd`; returns the days since 1 January 2001.
    private mutating func day() -> Int? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)?.number
    }

    /// Reads `HH:mm`, with or without seconds and their fraction. A leap second counts as the first second of the next
    /// minute.
    private mutating func timeOfDay() -> (second: Int, nanosecond: Int)? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60 else {
            return nil
        }
        let ofMinutes = (hour * 60 + minute) * 60
        guard skip(":") else { return (ofMinutes, 0) }
        guard let second = number(digits: 2), second <= 60 else { return nil }
        guard skip(either: ".", ",") else { return (ofMinutes + second, 0) }
        guard let nanosecond = fraction() else { return nil }
        return (ofMinutes + second, nanosecond)
    }

    /// Reads one digit or more; returns nanoseconds. Digits after the ninth are ignored, because a `Date` cannot hold
    /// them.
    private mutating func fraction() -> Int? {
        var value = 0
        var digits = 0
        while let digit = digit() {
            if digits < 9 { value = value * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 9)..<9 { value *= 10 }
        return value
    }

    /// Reads `Z`, `+HH:mm`, `+HHmm` or `+HH`; returns seconds. A missing offset means UTC.
    private mutating func offset() -> Int? {
        if rest.isEmpty || skip(either: "Z", "z") { return 0 }
        let isBehind = skip("-")
        guard isBehind || skip("+"), let hours = number(digits: 2), hours < 24 else { return nil }
        var minutes = 0
        if !rest.isEmpty {
            _ = skip(":")
            guard let number = number(digits: 2), number < 60 else { return nil }
            minutes = number
        }
        let seconds = (hours * 60 + minutes) * 60
        return isBehind ? -seconds : seconds
    }

    private mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, byte &- 0x30 < 10 else { return nil }
        rest.removeFirst()
        return Int(byte) - 0x30
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool { skip(either: character, character) }

    private mutating func skip(either first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        guard let byte = rest.first, byte == UInt8(ascii: first) || byte == UInt8(ascii: second) else { return false }
        rest.removeFirst()
        return true
    }
}

extension ISO8601Time {
    /// The date with its time in UTC, to the microsecond, with no fraction or a fraction of three or six digits.
    ///
    /// A date outside the years 0 to 9999 is written as its seconds since 1970. No server accepts this text as a date.
    static func text(dateTime date: Date) -> String {
        guard let (day, second, microsecond) = parts(of: date) else { return unwritable(date) }
        var text = CalendarDay(number: day).text + "T"
        text += padded(second / 3600, to: 2) + ":" + padded(second / 60 % 60, to: 2) + ":" + padded(second % 60, to: 2)
        if microsecond > 0 {
            let isMilliseconds = microsecond % 1000 == 0
            text += "." + (isMilliseconds ? padded(microsecond / 1000, to: 3) : padded(microsecond, to: 6))
        }
        return text + "Z"
    }

    /// The day of the date in UTC, as `yyyy-MM-dd`.
    static func text(day date: Date) -> String {
        parts(of: date).map { CalendarDay(number: $0.day).text } ?? unwritable(date)
    }

    static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The number of the day since 2001, the second of the day, and the microsecond of the second.
    private static func parts(of date: Date) -> (day: Int, second: Int, microsecond: Int)? {
        let interval = date.timeIntervalSinceReferenceDate
        let range = CalendarDay.seconds
        // The condition is also false for NaN.
        guard Double(range.lowerBound) <= interval, interval < Double(range.upperBound + 1) else { return nil }
        let whole = interval.rounded(.down)
        var microsecond = Int(((interval - whole) * 1e6).rounded())
        var second = Int(whole) - range.lowerBound
        if microsecond == 1_000_000 { (second, microsecond) = (second + 1, 0) }
        guard second < range.count else { return nil }
        return (second / secondsOfDay + range.lowerBound / secondsOfDay, second % secondsOfDay, microsecond)
    }

    private static func unwritable(_ date: Date) -> String { "\(date.timeIntervalSince1970)" }
}
