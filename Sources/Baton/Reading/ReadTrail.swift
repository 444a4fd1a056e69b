/// The records that a read goes through. While they are those of the read before, nothing is written down, and in the
/// end its array is kept: then nobody has to compare the two or to subscribe anew.
struct ReadTrail {
    /// The pairs of the read before.
    let old: [Dependencies.Pair]
    /// How many of them were met again, in order; below 0 once something else was met.
    private var matched: Int
    /// Room that was made for them, and how much of it is left: an array asks before each addition whether it is
    /// shared, which costs a twentieth of a read.
    private var next: UnsafeMutablePointer<Dependencies.Pair>?
    private var left = 0
    private var filled = 0
    /// Those for which there was no room.
    private var pairs: [Dependencies.Pair] = []

    /// Begins a trail; of an older read, if there is one, it is the same as long as can be.
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
}

extension GeneratedCode.RecordReader {
    /// What `body` goes through, where about so many records are expected if no older read is followed.
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
        // More were expected than came: the rest of the room is not kept as long as they are.
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

    /// How much of the room is filled; it is not touched again.
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
