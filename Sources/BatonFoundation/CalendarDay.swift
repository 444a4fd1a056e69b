/// A day of the Gregorian calendar, which ISO 8601 continues backwards to the year 0.
struct CalendarDay {
    let year: Int
    let month: Int
    let day: Int

    /// From the first second of the year 0 to the last of the year 9999, since the beginning of 2001.
    static let seconds = -730_851 * 86_400...2_921_574 * 86_400 - 1

    /// Nil unless the calendar has the day.
    init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let next = month == 12 ? 365 + Self.leapDay(of: year) : Self.daysBefore(month: month + 1, of: year)
        guard day <= next - Self.daysBefore(month: month, of: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The days since 1 January 2001; 400 years are 146,097 days.
    var number: Int {
        // The years before this one, counted from the year -399 so that nothing is negative.
        let years = year + 399
        return years * 365 + years / 4 - years / 100 + years / 400 + Self.daysBefore(month: month, of: year) + day - 1
            - Self.daysBefore2001
    }

    /// The day with that number, which is one of the years 0 to 9999.
    init(number: Int) {
        var days = number + Self.daysBefore2001
        func take(_ length: Int, atMost limit: Int = .max) -> Int {
            let count = Swift.min(days / length, limit)
            days -= count * length
            return count
        }
        // The last century of four, and the last year of four, are a day longer.
        let years = take(146_097) * 400 + take(36_524, atMost: 3) * 100 + take(1_461) * 4 + take(365, atMost: 3)
        let year = years - 399
        let month = (1...12).last { Self.daysBefore(month: $0, of: year) <= days } ?? 1
        (self.year, self.month, self.day) = (year, month, days - Self.daysBefore(month: month, of: year) + 1)
    }

    /// As `yyyy-MM-dd`.
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
