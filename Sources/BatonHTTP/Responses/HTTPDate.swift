import Foundation

/// Reads a date of HTTP (RFC 9110, 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Returns a date in one of the three forms.
    static func parse(_ text: String) -> Date? {
        seconds(text).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Returns the seconds since the beginning of 1970 of a date in one of the three forms, the two obsolete ones
    /// included; nil for anything else.
    static func seconds(_ text: String) -> Int? {
        let words = text.lowercased().split { $0 == " " || $0 == "-" || $0 == "," }.map(String.init)
        if words.count == 6, words[5] == "gmt" {
            // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        }
        if words.count == 5 {
            // Sun Nov  6 08:49:37 1994
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        }
        return nil
    }

    private static func seconds(day: String, month: String, year: String, time: String) -> Int? {
        let parts = time.split(separator: ":").compactMap { number(String($0), digits: 2...2) }
        guard let day = number(day, digits: 1...2), (1...31).contains(day), let month = months.firstIndex(of: month),
            let year = number(year, digits: 2...4), parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] <= 60
        else { return nil }
        // Two digits mean the years from 1970 to 2069.
        let full = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        return days(full, month + 1, day) * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// The days from 1970 to a date of the Gregorian calendar. The year is counted from March, so that the leap day is
    /// its last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
