/// The records that a read goes through. While they are those of the read before, nothing is written down, and in the end its array is kept: then nobody has to
/// compare the two or to subscribe anew.
struct ReadTrail {
    /// The pairs of the read before.
    let old: [Dependencies.Pair]
    /// How many of them were met again, in order; below 0 once something else was met.
    private var matched: Int
    private var pairs: [Dependencies.Pair] = []

    /// Begins a trail, with room for as many pairs as are expected if there is none to follow.
    init(following old: [Dependencies.Pair]?, expected: Int) {
        self.old = old ?? []
        matched = old == nil ? -1 : 0
        if old == nil { pairs.reserveCapacity(expected) }
    }

    var count: Int { matched >= 0 ? matched : pairs.count }

    @inline(__always)
    mutating func add(_ pair: Dependencies.Pair) {
        if matched >= 0 {
            if matched < old.count, old[matched] == pair {
                matched &+= 1
                return
            }
            depart()
        }
        pairs.append(pair)
    }

    /// Adds what the old trail has there.
    mutating func add(_ range: Range<Int>) {
        if matched == range.lowerBound {
            matched = range.upperBound
            return
        }
        if matched >= 0 { depart() }
        pairs.append(contentsOf: old[range])
    }

    @inline(never)
    private mutating func depart() {
        pairs.reserveCapacity(old.count + 16)
        pairs.append(contentsOf: old[..<matched])
        matched = -1
    }

    consuming func finish() -> [Dependencies.Pair] {
        guard matched >= 0 else { return pairs }
        return matched == old.count ? old : Array(old[..<matched])
    }
}
