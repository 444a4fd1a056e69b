/// Numbers of episodes, as the posters of the films write them.
enum Numeral {
    static func roman(_ number: Int) -> String {
        let numerals = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
        return (1...numerals.count).contains(number) ? numerals[number - 1] : String(number)
    }
}

/// A day as the schema writes it, `1977-05-25`, in words.
enum ReleaseDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    static func year(_ date: String) -> String { String(date.prefix(4)) }

    /// The text as it is if it is no day.
    static func words(_ date: String) -> String {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1...12).contains(parts[1]) else { return date }
        return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
    }
}
