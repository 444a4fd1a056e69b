/// The records that a read visits. As long as they equal the records of the read before, nothing is written, and the
/// old array is returned at the end. Equal arrays then need no comparison and no new subscription.
struct ReadTrail {
    /// The pairs of the read before.
    let old: [Dependencies.Pair]
    /// The number of old pairs that were met again in order; below 0 once another pair was met.
    private var matched: Int
    /// The position in the reserved room for pairs, and the number of free places. An array would check before each
    /// addition whether it is shared, which costs a twentieth of a read.
    private var next: UnsafeMutablePointer<Dependencies.Pair>?
    private var left = 0
    private var filled = 0
    /// The pairs for which there was no room.
    private var pairs: [Dependencies.Pair] = []

    /// Begins a trail, which follows the pairs of an older read if there is one.
    init(following old: [Dependencies.Pair]?) {
        self.old = old ?? []
        matched = old == nil ? -1 : 0
    }

    var count: Int { matched >= 0 ? matched : filled &- left &+ pairs.count }

    @inline(__always)
    mutating func add(_ pair: Dependencies.Pair) {
        guard left > 0, let place = next else { return addOther(pair) }
        place.initialize(to: pair)
        next = place + 1
        left &-= 1
    }

    @inline(never)
    private mutating func addOther(_ pair: Dependencies.Pair) {
        if matched >= 0 {
            if matched < old.count, old[matched] == pair {
                matched &+= 1
                return
            }
            depart()
        }
        pairs.append(pair)
    }

    /// Adds a range of the old pairs.
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
}

extension GeneratedCode.RecordReader {
    /// Returns the pairs that `body` visits. `expected` is an estimate of their number, used if no older read is
    /// followed.
    mutating func records(expected: Int, _ body: (inout Self) -> Void) -> [Dependencies.Pair] {
        guard trail.hasNothingToFollow, expected > 0 else {
            body(&self)
            return trail.finish()
        }
        var pairs = [Dependencies.Pair](unsafeUninitializedCapacity: expected) { room, count in
            trail.use(room)
            body(&self)
            count = trail.leaveRoom()
        }
        trail.addRest(to: &pairs)
        // Fewer pairs came than were expected: a copy without the unused room is kept.
        return pairs.count < expected / 2 ? Array(pairs[...]) : pairs
    }
}

extension ReadTrail {
    fileprivate var hasNothingToFollow: Bool { matched < 0 }

    fileprivate mutating func use(_ room: UnsafeMutableBufferPointer<Dependencies.Pair>) {
        next = room.baseAddress
        left = room.count
        filled = room.count
    }

    /// Ends the use of the room and returns the number of pairs in it.
    fileprivate mutating func leaveRoom() -> Int {
        defer {
            next = nil
            left = 0
            filled = 0
        }
        return filled - left
    }

    fileprivate func addRest(to all: inout [Dependencies.Pair]) {
        if !pairs.isEmpty { all += pairs }
    }

    fileprivate func finish() -> [Dependencies.Pair] {
        guard matched >= 0 else { return pairs }
        return matched == old.count ? old : Array(old[..<matched])
    }
}
