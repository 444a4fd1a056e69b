public import Baton
public import Foundation

/// A `Date` as ISO 8601 text with a time, as in RFC 3339.
///
/// `decode` reads `2024-05-25T10:00:00Z` and these variants: with a fraction of a second, without seconds, with an
/// offset (`+02:00`, `+0200`, `+02`), without an offset (then the time is in UTC), and a date alone (then the time is
/// midnight in UTC). `encode` writes UTC, with a fraction of three or six digits if there is one.
public enum ISO8601DateTime: ScalarConversion {
    /// Reads one of the forms in the description of this type.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> Date {
        if case .string(let text) = json, let date = ISO8601Time.dateTime(text) { return date }
        throw ConversionError(expected: #"a date such as "2024-05-25T10:00:00Z""#, found: json)
    }

    /// Writes `2024-05-25T10:00:00Z`, to the microsecond.
    public static func encode(_ value: Date) -> JSONValue { .string(ISO8601Time.text(dateTime: value)) }
}

/// A `Date` as ISO 8601 text without a time; the date is the midnight in UTC at the beginning of the day.
///
/// Show the date with a calendar in UTC. A calendar of a time zone west of UTC shows the day before.
public enum ISO8601Date: ScalarConversion {
    /// Reads `2024-05-25`.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> Date {
        if case .string(let text) = json, let date = ISO8601Time.date(text) { return date }
        throw ConversionError(expected: #"a day such as "2024-05-25""#, found: json)
    }

    /// Writes the day in UTC.
    public static func encode(_ value: Date) -> JSONValue { .string(ISO8601Time.text(day: value)) }
}

/// A `Date` as a number of seconds since 1970, with or without a fraction.
public enum SecondsSince1970: ScalarConversion {
    /// Reads a number.
    ///
    /// - Throws: ``ConversionError``, also for dates outside the years 0 to 9999. A number of milliseconds gives such a
    ///   date.
    public static func decode(_ json: JSONValue) throws -> Date {
        guard let number = json.number, let date = Date.of(secondsSince1970: number) else {
            throw ConversionError(expected: "seconds since 1970", found: json)
        }
        return date
    }

    /// Writes an integer if the date has no fraction of a second, and else a number with a fraction.
    public static func encode(_ value: Date) -> JSONValue { JSONValue(number: value.timeIntervalSince1970) }
}

/// A `Date` as a number of milliseconds since 1970.
public enum MillisecondsSince1970: ScalarConversion {
    /// Reads a number.
    ///
    /// - Throws: ``ConversionError``, also for dates outside the years 0 to 9999.
    public static func decode(_ json: JSONValue) throws -> Date {
        guard let number = json.number, let date = Date.of(secondsSince1970: number / 1000) else {
            throw ConversionError(expected: "milliseconds since 1970", found: json)
        }
        return date
    }

    /// Writes an integer, rounded to the nearest millisecond.
    public static func encode(_ value: Date) -> JSONValue {
        JSONValue(number: (value.timeIntervalSince1970 * 1000).rounded())
    }
}

extension Date {
    /// The date; nil outside the years 0 to 9999.
    fileprivate static func of(secondsSince1970 seconds: Double) -> Date? {
        let date = Date(timeIntervalSince1970: seconds)
        let interval = date.timeIntervalSinceReferenceDate
        let range = Double(CalendarDay.seconds.lowerBound)...Double(CalendarDay.seconds.upperBound)
        return range.contains(interval) ? date : nil
    }
}

extension JSONValue {
    /// The number as a `Double`; nil for other kinds of JSON.
    fileprivate var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// Makes an integer if the number has no fraction and fits, and else a double.
    fileprivate init(number: Double) {
        self = Int(exactly: number).map(JSONValue.int) ?? .double(number)
    }
}
