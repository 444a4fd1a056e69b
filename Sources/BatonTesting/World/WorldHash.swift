/// The generator of a world: a hash of texts. It has no state, so that a value depends on nothing but its own texts.
///
/// The recipe is FNV-1a with 64 bits over the seed and the UTF-8 bytes of the texts, each ended by a zero byte, and the
/// finalizer of splitmix64. A change of the recipe is a change of `World.generator`.
struct WorldHash {
    private var state: UInt64

    init(seed: UInt64) {
        state = 0xCBF2_9CE4_8422_2325
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: seed >> UInt64(shift))) }
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0)
    }

    /// The number of the texts so far and these.
    func number(_ texts: String...) -> UInt64 {
        var hash = self
        for text in texts { hash.add(text) }
        return Self.mixed(hash.state)
    }

    /// The number of the texts so far and a number.
    func number(_ number: Int) -> UInt64 {
        var hash = self
        for shift in stride(from: 0, to: 64, by: 8) {
            hash.add(UInt8(truncatingIfNeeded: UInt64(bitPattern: Int64(number)) >> UInt64(shift)))
        }
        return Self.mixed(hash.state)
    }

    /// The finalizer of splitmix64.
    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
