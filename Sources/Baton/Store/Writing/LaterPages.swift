/// The pages of those connections of which one operation asks for several pages.
///
/// The rule: the pages of one connection are merged in the order of the document, as those of a response that comes as
/// a whole. A page waits until every page before it has come completely, at the latest until the response ends. A page
/// before it is one at a place that the response has reached, in a part that may still come.
///
/// A response that comes as a whole has each field of an object once, where any selection set of the object asks for it
/// first. That may be in another fragment than the fragment that makes the field a page. A later fragment under a type
/// condition that does not hold asks for nothing. As long as the response has not shown whether it holds, a page waits
/// for the pages that come before it in either case.
struct LaterPages: Sendable {
    typealias Fragment = IncrementalPlaces.LaterFragment
    typealias Path = [JSONValue.PathComponent]

    private struct Connection: Hashable {
        let record: RecordID
        let key: StorageKeyID
    }

    struct Page: Sendable {
        let source: StorageKeyID
        /// The places of the page in the response.
        fileprivate(set) var places: Set<Path> = []
        /// The ranks of the fields on the way to the first of the places, as of a revision; nil without a place.
        fileprivate var ranks: [Int]?
        /// The same ranks if every type condition that is not decided holds.
        fileprivate var possibleRanks: [Int]?
        fileprivate var revision = 0
        /// The later fragments that may bring the page.
        fileprivate(set) var fragments: Set<Fragment> = []
        /// The number of its work, once it has come.
        fileprivate(set) var work: Int?
        /// The records of the page, its edges and its page info.
        fileprivate(set) var records: Set<RecordID> = []
    }

    /// The keys of the connections of which the operation asks for several pages; nearly always none.
    private let keys: Set<StorageKeyID>
    private var pages: [Connection: [Page]] = [:]
    private var connections: [Int: Connection] = [:]
    /// The rank of a field at a place: the number of the first selection set for its value. Selection sets are numbered
    /// in the order of the document.
    private struct Rank {
        var first = Int.max
        /// The ranks in fragments that may not apply.
        var conditional: [Fragment: Int] = [:]
    }

    /// The ranks of the fields at the places that the response has reached.
    private var ranks: [Path: Rank] = [:]
    /// The later fragments under a type condition, and those inside of them, with the fragment whose condition decides;
    /// nil for the fragment's own condition.
    private var conditions: [Fragment: Fragment?] = [:]
    /// The later fragments of which the response has shown that their conditions hold.
    private var applying: Set<Fragment> = []
    /// The number of times that the rank of a known field has changed.
    private var revision = 0
    /// The later fragments that may write a record.
    private var fragments: [RecordID: Set<Fragment>] = [:]
    /// The records with a list whose items arrive later.
    private var growing: Set<RecordID> = []
    /// The fragments of which nothing more will come.
    private var ended: Set<Fragment> = []

    init(_ plan: BoundPlan) {
        var sources: [StorageKeyID: Set<StorageKeyID>] = [:]
        for marks in plan.marks.values {
            guard let handle = marks.handle, handle.name == HandledCall.connection else { continue }
            sources[handle.storageKey, default: []].insert(handle.source)
        }
        keys = Set(sources.lazy.filter { $1.count > 1 }.map(\.key))
    }

    var isNeeded: Bool { !keys.isEmpty }

    /// Returns the handle of such a page; nil for other work.
    func handle(_ work: FieldWork) -> BoundMarks.Handle? {
        guard case .copy(let handle) = work, handle.name == HandledCall.connection, keys.contains(handle.storageKey)
        else { return nil }
        return handle
    }

    // MARK: - Noting

    /// Notes that selection sets ask for a field with objects at a place.
    mutating func note(_ selectionSets: [Int], at place: Path, in fragment: Fragment?) {
        guard let first = selectionSets.min() else { return }
        let known = ranks[place]
        var rank = known ?? Rank()
        if let fragment, !applies(fragment) {
            if let known = rank.conditional[fragment], known <= first { return }
            rank.conditional[fragment] = first
        } else {
            guard first < rank.first else { return }
            rank.first = first
        }
        ranks[place] = rank
        if known != nil { revision += 1 }
    }

    /// Notes a later fragment under a type condition, or in another fragment that may have one.
    mutating func noteCondition(of fragment: Fragment, in other: Fragment?, isOwn: Bool) {
        if isOwn {
            conditions[fragment] = .some(nil)
        } else if let other, conditions[other] != nil, conditions[fragment] == nil {
            conditions[fragment] = other
        }
    }

    /// Notes that the type condition of a fragment holds.
    mutating func noteArrival(of fragment: Fragment) {
        if applying.insert(fragment).inserted, conditions[fragment] != nil { revision += 1 }
    }

    /// Returns true if the type conditions of a fragment hold, as far as the response has shown.
    private func applies(_ fragment: Fragment) -> Bool {
        var fragment = fragment
        // A fragment is never in itself.
        for _ in 0...conditions.count {
            guard let condition = conditions[fragment], !applying.contains(fragment) else { return true }
            guard let other = condition else { return false }
            fragment = other
        }
        return false
    }

    /// Notes a page that has come, or may come with a fragment.
    mutating func note(
        _ handle: BoundMarks.Handle, of record: RecordID, at place: Path?, in fragment: Fragment?, as work: Int?
    ) {
        let connection = Connection(record: record, key: handle.storageKey)
        var all = pages[connection] ?? []
        let index = all.firstIndex { $0.source == handle.source } ?? all.count
        if index == all.count { all.append(Page(source: handle.source, revision: revision)) }
        if let place, all[index].places.insert(place).inserted, all[index].revision == revision {
            all[index].ranks = Self.first(all[index].ranks, ranks(of: place, counting: false))
            all[index].possibleRanks = Self.first(all[index].possibleRanks, ranks(of: place, counting: true))
        }
        if let fragment { all[index].fragments.insert(fragment) }
        if let work {
            all[index].work = work
            connections[work] = connection
        }
        pages[connection] = all
    }

    /// Notes that a record belongs to a page.
    mutating func note(_ record: RecordID, ofPage work: Int) {
        guard let connection = connections[work], let index = pages[connection]?.firstIndex(where: { $0.work == work })
        else { return }
        pages[connection]?[index].records.insert(record)
    }

    /// Notes that a fragment may write a record.
    mutating func note(_ fragment: Fragment, at record: RecordID) { fragments[record, default: []].insert(fragment) }

    /// Notes that a list of a record has items that arrive later.
    mutating func noteStream(of record: RecordID) { growing.insert(record) }

    /// Notes that nothing more of a fragment will come.
    mutating func noteEnd(of fragment: Fragment) {
        ended.insert(fragment)
        noteArrival(of: fragment)
    }

    // MARK: - Asking

    /// Returns the pages of the same connection that the document has before the page of some work, or may have before
    /// it.
    mutating func pages(before work: Int) -> [Page] {
        guard let connection = connections[work] else { return [] }
        let certain = inOrder(connection).prefix { $0.work != work }
        if conditions.isEmpty { return Array(certain) }
        let known = Set(certain.map(\.source))
        let possible = inOrder(connection, counting: true).prefix { $0.work != work }
        return certain + possible.filter { !known.contains($0.source) }
    }

    /// Returns work with the pages of each connection in the order of the document. Other work stays where it is.
    mutating func inOrder(_ works: [Int]) -> [Int] {
        var positions: [Connection: [Int]] = [:]
        for (position, work) in works.enumerated() {
            if let connection = connections[work] { positions[connection, default: []].append(position) }
        }
        var result = works
        for (connection, positions) in positions where positions.count > 1 {
            let due = Set(positions.map { works[$0] })
            let sorted = inOrder(connection).compactMap(\.work).filter(due.contains)
            for (position, work) in zip(positions, sorted) { result[position] = work }
        }
        return result
    }

    /// Returns the pages of a connection in the order of the document. Pages without a known place are the last.
    ///
    /// - Parameter isPossible: True if every type condition that is not decided counts as one that holds.
    private mutating func inOrder(_ connection: Connection, counting isPossible: Bool = false) -> [Page] {
        guard var all = pages[connection], all.count > 1 else { return [] }
        for index in all.indices where all[index].revision != revision {
            let places = all[index].places
            all[index].ranks = places.map { ranks(of: $0, counting: false) }.min(by: Self.isBefore)
            all[index].possibleRanks = places.map { ranks(of: $0, counting: true) }.min(by: Self.isBefore)
            all[index].revision = revision
            pages[connection] = all
        }
        return all.enumerated().sorted { left, right in
            let (own, other) =
                isPossible
                ? (left.element.possibleRanks, right.element.possibleRanks) : (left.element.ranks, right.element.ranks)
            guard let own else { return other == nil && left.offset < right.offset }
            guard let other else { return true }
            return own == other ? left.offset < right.offset : Self.isBefore(own, other)
        }.map(\.element)
    }

    /// Returns true if a place with some ranks comes before another one: inner fields come before outer ones.
    private static func isBefore(_ ranks: [Int], _ others: [Int]) -> Bool {
        zip(ranks, others).first { $0 != $1 }.map { $0 < $1 } ?? (ranks.count > others.count)
    }

    private static func first(_ ranks: [Int]?, _ others: [Int]) -> [Int] {
        if let ranks, !isBefore(others, ranks) { ranks } else { others }
    }

    /// Returns the ranks of the fields on the way to a place, with the indices of items.
    private func ranks(of place: Path, counting isPossible: Bool) -> [Int] {
        place.indices.map { position in
            if case .index(let index) = place[position] { return index }
            guard let rank = ranks[Array(place[...position])] else { return .max }
            return rank.conditional.reduce(rank.first) { first, other in
                isPossible || applies(other.key) ? min(first, other.value) : first
            }
        }
    }

    /// Returns true if nothing will be written to the records of a page any more.
    func isComplete(_ page: Page) -> Bool {
        page.records.allSatisfy { record in
            !growing.contains(record) && fragments[record].map(ended.isSuperset) ?? true
        }
    }

    /// Returns true if a page has not come and will not come.
    func isGone(_ page: Page) -> Bool { page.work == nil && ended.isSuperset(of: page.fragments) }
}
