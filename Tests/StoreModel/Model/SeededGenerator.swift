/// Random numbers that are the same for the same seed.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Makes a generator. Equal seeds give equal numbers.
    package init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at least 1.
    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % max(bound, 1) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// An element of a collection that is not empty.
    mutating func pick<Element>(_ items: [Element]) -> Element { items[below(items.count)] }
}
