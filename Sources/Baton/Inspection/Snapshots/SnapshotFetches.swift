/// The fetches that a snapshot mentions, in an order that depends only on their moments and ages.
struct SnapshotFetches {
    private struct Fetch: Hashable, Comparable {
        let moment: Int
        let age: Int

        static func < (left: Fetch, right: Fetch) -> Bool { (left.moment, right.age) < (right.moment, left.age) }
    }

    /// A set of records that have the same fields from the same responses.
    private struct Kind: Hashable {
        let stamp: FetchStamps.Stamp
        let layout: Int
    }

    private let walk: SnapshotWalk
    private let records: Records
    private let entries: [FetchStamps.Entry]
    /// For each stamp, true if the snapshot mentions its fetch.
    private var isUsed: [Bool]
    private var positions: [Int]
    private var list: [Fetch] = []
    /// For each pattern, the source of each field in the order of the form.
    private(set) var patterns: [[Int]] = []
    private var patternNumbers: [[Int]: Int] = [:]
    private var kinds: [Kind: Int] = [:]

    /// The versions in which the mentioned fetches began.
    var beginnings: [Epoch] { isUsed.indices.filter { isUsed[$0] }.map { entries[$0].mark.began } }

    init(of walk: SnapshotWalk, in records: Records) {
        self.walk = walk
        self.records = records
        entries = records.stamps.entries
        isUsed = Array(repeating: false, count: entries.count)
        positions = Array(repeating: SnapshotFormat.nobody, count: entries.count)
        var known: Set<Kind> = []
        for item in walk.included where item.layout >= 0 {
            let stamp = records.stamps.stamp(of: item.record)
            if FetchStamps.isWhole(stamp, entries) {
                isUsed[Int(stamp)] = true
            } else if stamp == FetchStamps.separate
                || known.insert(Kind(stamp: stamp, layout: item.layout)).inserted
            {
                for key in walk.forms[walk.layouts[item.layout].form].keys {
                    isUsed[Int(records.stamps.stamp(of: item.record, key, entries))] = true
                }
            }
        }
        for stamp in 0..<min(Int(FetchStamps.firstRestored), isUsed.count) { isUsed[stamp] = false }
    }

    /// Sorts the fetches. `moment` returns the rank of a version among the invalidations, `age` the age of a time in
    /// milliseconds.
    mutating func rank(moment: (Epoch) -> Int, age: (Duration) -> Int) {
        var fetches: [(stamp: Int, fetch: Fetch)] = []
        for stamp in isUsed.indices where isUsed[stamp] {
            let mark = entries[stamp].mark
            fetches.append((stamp, Fetch(moment: moment(mark.began), age: age(mark.time))))
        }
        list = Set(fetches.map(\.fetch)).sorted()
        let ranks = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, $0) })
        for (stamp, fetch) in fetches { positions[stamp] = ranks[fetch] ?? SnapshotFormat.nobody }
        if Int(FetchStamps.derived) < positions.count { positions[Int(FetchStamps.derived)] = SnapshotFormat.handler }
    }

    /// The list in the layout of the format.
    var json: JSONValue { .array(list.map { [.int($0.age), .int($0.moment)] }) }

    /// Returns the source of a record's fields: a fetch, `nobody`, `handler`, or a position in `patterns` after the
    /// number of fetches.
    mutating func source(of item: SnapshotWalk.Included) -> Int {
        let stamp = records.stamps.stamp(of: item.record)
        if FetchStamps.isWhole(stamp, entries) { return positions[Int(stamp)] }
        let kind = Kind(stamp: stamp, layout: item.layout)
        if let known = kinds[kind] { return known }
        let keys = walk.forms[walk.layouts[item.layout].form].keys
        let sources = keys.map { positions[Int(records.stamps.stamp(of: item.record, $0, entries))] }
        let source = source(of: sources)
        if stamp != FetchStamps.separate { kinds[kind] = source }
        return source
    }

    private mutating func source(of sources: [Int]) -> Int {
        guard let first = sources.first else { return SnapshotFormat.nobody }
        if sources.allSatisfy({ $0 == first }) { return first }
        let number = patternNumbers[sources] ?? patterns.count
        if number == patterns.count {
            patterns.append(sources)
            patternNumbers[sources] = number
        }
        return list.count + number
    }
}
