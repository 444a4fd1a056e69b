/// The number of an episode, as the posters of the films write it.
public enum EpisodeNumber {
    /// A Roman numeral from I to XXXIX, and digits for any other number.
    public static func roman(_ number: Int) -> String {
        guard (1..<40).contains(number) else { return String(number) }
        let ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
        return String(repeating: "X", count: number / 10) + ones[number % 10]
    }
}
