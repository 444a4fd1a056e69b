/// A day of the proleptic Gregorian calendar of ISO 8601, in the years 0 to 9999.
struct CalendarDay {
    let year: Int
    let month: Int
    let day: Int

    /// The seconds of the years 0 to 9999, counted from the beginning of 2001.
    static let seconds = -730_851 * 86_400...2_921_574 * 86_400 - 1

    /// Makes a day; nil if the calendar does not have it.
    init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let next = month == 12 ? 365 + Self.leapDay(of: year) : Self.daysBefore(month: month + 1, of: year)
        guard day <= next - Self.daysBefore(month: month, of: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The days since 1 January 2001; 400 years are 146,097 days.
    var number: Int {
        // The number of years before this one, counted from the year -399 so that no term is negative.
        let years = year + 399
        return years * 365 + years / 4 - years / 100 + years / 400 + Self.daysBefore(month: month, of: year) + day - 1
            - Self.daysBefore2001
    }

    /// Makes the day from its number, which must lie in the years 0 to 9999.
    init(number: Int) {
        var days = number + Self.daysBefore2001
        func take(_ length: Int, atMost limit: Int = .max) -> Int {
            let count = Swift.min(days / length, limit)
            days -= count * length
            return count
        }
        // The last of four centuries, and the last of four years, is one day longer.
        let years = take(146_097) * 400 + take(36_524, atMost: 3) * 100 + take(1_461) * 4 + take(365, atMost: 3)
        let year = years - 399
        let month = (1...12).last { Self.daysBefore(month: $0, of: year) <= days } ?? 1
        (self.year, self.month, self.day) = (year, month, days - Self.daysBefore(month: month, of: year) + 1)
    }

    /// The day as `yyyy-MM-dd`.
    var text: String {
        ISO8601Time.padded(year, to: 4) + "-" + ISO8601Time.padded(month, to: 2) + "-" + ISO8601Time.padded(day, to: 2)
    }

    private static let daysBefore2001 = 876_582
    private static let daysBeforeMonths = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    private static func daysBefore(month: Int, of year: Int) -> Int {
        daysBeforeMonths[month - 1] + (month > 2 ? leapDay(of: year) : 0)
    }

    private static func leapDay(of year: Int) -> Int {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 1 : 0
    }
}
