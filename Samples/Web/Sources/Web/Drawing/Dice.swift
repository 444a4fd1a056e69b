/// Numbers that look thrown and are the same each time for a text.
struct Dice {
    private var state: UInt64 = 14_695_981_039_346_656_037

    init(_ text: String) {
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 1_099_511_628_211 }
    }

    /// A number from zero to below `sides`.
    mutating func roll(_ sides: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int((state >> 16) % UInt64(max(1, sides)))
    }
}
