public import Baton
public import Foundation

/// The Swift type of the scalar `Date`; it converts itself.
public struct Day: ScalarConversion, Sendable, Hashable {
    public var year: Int
    public var month: Int
    public var day: Int

    public init(_ year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    public struct Malformed: Error {}

    public static func decode(_ json: JSONValue) throws -> Day {
        guard case .string(let text) = json else { throw Malformed() }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { throw Malformed() }
        return Day(parts[0], parts[1], parts[2])
    }

    public static func encode(_ value: Day) -> JSONValue {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return .string("\(value.year)-\(padded(value.month))-\(padded(value.day))")
    }
}

/// Converts the scalar `Money`, whose Swift type is another module's.
public enum MoneyConversion: ScalarConversion {
    public struct Malformed: Error {}

    public static func decode(_ json: JSONValue) throws -> Decimal {
        switch json {
        case .string(let text):
            guard let value = Decimal(string: text) else { throw Malformed() }
            return value
        case .int(let value): return Decimal(value)
        case .double(let value): return Decimal(value)
        default: throw Malformed()
        }
    }

    public static func encode(_ value: Decimal) -> JSONValue { .string(value.description) }
}
