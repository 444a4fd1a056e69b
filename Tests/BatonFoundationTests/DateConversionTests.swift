import Baton
import BatonFoundation
import Foundation
import Testing

@Suite("Conversions of dates")
struct DateConversionTests {
    @Test(
        "every form of ISO 8601 that servers use is read",
        arguments: [
            ("2024-05-25T10:00:00Z", 1_716_631_200.0),
            ("2024-05-25t10:00:00z", 1_716_631_200),
            ("2024-05-25 10:00:00Z", 1_716_631_200),
            ("2024-05-25T10:00:00", 1_716_631_200),
            ("2024-05-25T10:00Z", 1_716_631_200),
            ("2024-05-25T10:00:00.5Z", 1_716_631_200.5),
            ("2024-05-25T10:00:00,25Z", 1_716_631_200.25),
            ("2024-05-25T10:00:00.1250000000001+00:00", 1_716_631_200.125),
            ("2024-05-25T12:30:00+02:30", 1_716_631_200),
            ("2024-05-25T12:30:00+0230", 1_716_631_200),
            ("2024-05-25T08:00:00-02", 1_716_631_200),
            ("2024-05-25T12:00+02", 1_716_631_200),
            ("2024-05-25", 1_716_595_200),
            ("1990-12-31T23:59:60Z", 662_688_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799.999),
        ])
    func everyFormOfISO8601IsRead(text: String, seconds: Double) throws {
        #expect(try ISO8601DateTime.decode(.string(text)).timeIntervalSince1970 == seconds)
    }

    @Test(
        "text that is not a date is refused",
        arguments: [
            "", "2024", "2024-05", "2024-5-25", "24-05-25", "2024-05-25T", "2024-05-25Z", "2024-05-25T10",
            "2024-05-25T10Z",
            "2024-13-01", "2024-00-01", "2024-01-00", "2024-02-30", "2023-02-29", "1900-02-29", "2024-04-31",
            "2024-05-25T24:00:00Z", "2024-05-25T10:60:00Z", "2024-05-25T10:00:61Z", "2024-05-25T10:00:00.Z",
            "2024-05-25T10:00:00Zz", "2024-05-25T10:00:00+", "2024-05-25T10:00:00+2",
            "2024-05-25T10:00:00+24:00", "2024-05-25T10:00:00+02:60", "2024-05-25T10:00:00+02:",
            "2024-05-25T10:00:00+02:0",
            "2024-05-25  10:00:00Z", " 2024-05-25", "2024-05-25T10:00:00Z ", "2024-05-25T10:00:00\u{660}",
            "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
            "2024-05-25T10:00:00." + String(repeating: "1", count: 50),
        ])
    func textThatIsNoDateIsRefused(text: String) {
        #expect(throws: ConversionError.self) { try ISO8601DateTime.decode(.string(text)) }
        #expect(throws: ConversionError.self) { try ISO8601Date.decode(.string(text)) }
    }

    @Test(
        "every day of the calendar is one day after the day before",
        arguments: [0...5, 1_580...1_605, 1_890...2_105, 9_990...9_999])
    func everyDayOfTheCalendarIsRead(years: ClosedRange<Int>) throws {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var expected: Date?
        for year in years {
            let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
            for (month, length) in lengths.enumerated() {
                let last = month == 1 && isLeap ? 29 : length
                for day in 1...last {
                    let text = String(format: "%04d-%02d-%02d", year, month + 1, day)
                    let date = try ISO8601Date.decode(.string(text))
                    #expect(expected == nil || date == expected)
                    #expect(ISO8601Date.encode(date) == .string(text))
                    #expect(try ISO8601DateTime.decode(.string(text)) == date)
                    expected = date + 86_400
                }
                #expect(throws: ConversionError.self) {
                    try ISO8601Date.decode(.string(String(format: "%04d-%02d-%02d", year, month + 1, last + 1)))
                }
            }
        }
    }

    /// Foundation uses the Julian calendar before 1583.
    @Test("dates from 1583 to 9999 are read and written as Foundation does")
    func datesAreThoseOfFoundation() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let date = Date(
                timeIntervalSinceReferenceDate: Double(
                    Int.random(in: -13_190_000_000...252_423_000_000, using: &random)))
            let text = date.formatted(.iso8601)
            #expect(ISO8601DateTime.encode(date) == .string(text))
            #expect(try ISO8601DateTime.decode(.string(text)) == date)
            let zone = try #require(TimeZone(secondsFromGMT: 60 * Int.random(in: -840...840, using: &random)))
            for separator in [Date.ISO8601FormatStyle.TimeZoneSeparator.colon, .omitted] {
                let local = date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: separator, timeZone: zone))
                #expect(try ISO8601DateTime.decode(.string(local)) == date, "\(local)")
            }
            #expect(
                ISO8601Date.encode(date) == .string(date.formatted(Date.ISO8601FormatStyle().year().month().day())))
        }
    }

    @Test("a written date is read as the same date, to the microsecond")
    func aWrittenDateIsReadBack() throws {
        for _ in 0..<5_000 {
            // Before 1730 and after 2270, a `Date` does not distinguish microseconds.
            let microseconds = Int.random(in: -8_500_000_000_000_000...8_500_000_000_000_000)
            let (second, rest) = (microseconds / 1_000_000, abs(microseconds % 1_000_000))
            let date = Date(timeIntervalSinceReferenceDate: Double(second) + Double(rest) / 1e6)
            let json = ISO8601DateTime.encode(date)
            #expect(try ISO8601DateTime.decode(json) == date, "\(json)")
            guard case .string(let text) = json else { continue }
            #expect(text.utf8.count <= 27)
            let whole = Date(timeIntervalSinceReferenceDate: Double(second))
            #expect(try SecondsSince1970.decode(SecondsSince1970.encode(whole)) == whole)
            let milliseconds = JSONValue.int(microseconds / 1_000)
            #expect(try MillisecondsSince1970.encode(MillisecondsSince1970.decode(milliseconds)) == milliseconds)
        }
        let anything = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
        let read = try ISO8601DateTime.decode(ISO8601DateTime.encode(anything))
        #expect(abs(read.timeIntervalSince(anything)) < 1e-6)
    }

    @Test("a fraction has no digit, three or six, as it needs")
    func aFractionHasAsFewDigitsAsItNeeds() {
        func text(_ fraction: Double) -> JSONValue {
            ISO8601DateTime.encode(Date(timeIntervalSince1970: 1_716_631_200 + fraction))
        }
        #expect(text(0) == "2024-05-25T10:00:00Z")
        #expect(text(0.5) == "2024-05-25T10:00:00.500Z")
        #expect(text(0.1234) == "2024-05-25T10:00:00.123400Z")
        #expect(text(0.999_999_9) == "2024-05-25T10:00:01Z")
        #expect(text(-0.001) == "2024-05-25T09:59:59.999Z")
    }

    @Test(
        "dates that no text can have neither trap nor look like a date",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 253_402_300_800, -62_167_219_201, 1e18])
    func datesWithoutATextDoNotTrap(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        for text in [ISO8601DateTime.encode(date), ISO8601Date.encode(date)] {
            #expect(throws: ConversionError.self) { try ISO8601DateTime.decode(text) }
        }
        _ = SecondsSince1970.encode(date)
        _ = MillisecondsSince1970.encode(date)
    }

    @Test("numbers are read and written as seconds or milliseconds")
    func numbersAreSecondsOrMilliseconds() throws {
        #expect(try SecondsSince1970.decode(1_716_631_200).timeIntervalSince1970 == 1_716_631_200)
        #expect(try SecondsSince1970.decode(1_716_631_200.5).timeIntervalSince1970 == 1_716_631_200.5)
        #expect(try MillisecondsSince1970.decode(1_716_631_200_500).timeIntervalSince1970 == 1_716_631_200.5)
        #expect(SecondsSince1970.encode(Date(timeIntervalSince1970: 1.5)) == 1.5)
        #expect(SecondsSince1970.encode(Date(timeIntervalSince1970: 1)) == .int(1))
        for json in ["1716631200", true, nil, [], [:], 1_716_631_200_500, .double(.nan), 1e300] as [JSONValue] {
            #expect(throws: ConversionError.self) { try SecondsSince1970.decode(json) }
        }
        #expect(throws: ConversionError.self) { try MillisecondsSince1970.decode(1e17) }
    }
}
