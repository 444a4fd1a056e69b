import Baton

/// A day of the calendar: the Swift side of the schema's scalar `Date`.
public struct FilmDate: Hashable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    public init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

    /// The day in words, such as `25 May 1977`.
    public var inWords: String {
        let month = Self.months.indices.contains(month - 1) ? Self.months[month - 1] : "?"
        return "\(day) \(month) \(year)"
    }
}

extension FilmDate: CustomStringConvertible {
    /// The day as the schema writes it, `1977-05-25`.
    public var description: String {
        Self.padded(year, to: 4) + "-" + Self.padded(month, to: 2) + "-" + Self.padded(day, to: 2)
    }
}

extension FilmDate: ScalarConversion {
    /// The error for a text that is not a day.
    public struct Failure: Error, CustomStringConvertible {
        let json: JSONValue

        public var description: String { "\(json) is no date; dates look like \"1977-05-25\"" }
    }

    public static func decode(_ json: JSONValue) throws -> FilmDate {
        guard case .string(let text) = json else { throw Failure(json: json) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), (1...31).contains(day)
        else { throw Failure(json: json) }
        return FilmDate(year: year, month: month, day: day)
    }

    public static func encode(_ value: FilmDate) -> JSONValue { .string(value.description) }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
