/// A set of positions of discriminators. Most sets are empty, and hardly any needs more than 64 positions.
struct Discriminators: Equatable {
    private var bits: UInt64 = 0
    private var others: Set<Int> = []

    var isEmpty: Bool { bits == 0 && others.isEmpty }

    mutating func insert(_ index: Int) {
        if index < 64 { bits |= 1 << UInt64(index) } else { others.insert(index) }
    }

    func contains(_ index: Int) -> Bool {
        index < 64 ? bits & 1 << UInt64(index) != 0 : others.contains(index)
    }
}
