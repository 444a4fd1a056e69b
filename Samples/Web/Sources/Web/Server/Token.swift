/// A random number that nobody guesses: the name of a session, or the key of a form.
struct Token: Hashable, Sendable {
    let text: String

    /// Makes one of 128 bits.
    init() {
        var random = SystemRandomNumberGenerator()
        text = (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Takes one that a browser has sent back; nil for anything that is none.
    init?(sent text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }
}
