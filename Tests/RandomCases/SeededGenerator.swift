/// Random numbers that are the same for the same seed (SplitMix64), so that a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a generator. Equal seeds give equal numbers.
    package init(seed: some BinaryInteger) {
        state = UInt64(truncatingIfNeeded: seed) &+ 0x9E37_79B9_7F4A_7C15
    }

    /// Makes a generator whose seed is derived from a name.
    package init(name: String) { self.init(seed: name.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from zero up to the bound, exclusive; zero if the bound is less than 1.
    package mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % max(bound, 1) }

    /// True in so many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// An element of a collection that is not empty.
    package mutating func pick<Element>(_ items: [Element]) -> Element { items[below(items.count)] }

    /// Some of the elements, in their order.
    package mutating func some<Element>(of items: [Element], percent: Int) -> [Element] {
        items.filter { _ in chance(percent) }
    }
}
