/// The work that the payloads of one response have done so far for one handled field.
///
/// A payload may do its work several times before it lands, because a publish that was overtaken by another begins
/// again. Each run begins with the state that the earlier payloads have left.
///
/// State: guarded by a lock of its own, a leaf.
final class WorkProgress: Sendable {
    /// The way in which a page of a connection was merged.
    enum Merge: Sendable, Equatable {
        /// The page has not been merged yet.
        case none
        /// The page is the whole connection.
        case whole
        case atEnd
        case atStart
        /// The page does not adjoin the connection.
        case dropped
    }

    /// An edge of a response, and the connection that the edge was added to.
    struct Source: Hashable, Sendable {
        let connection: RecordID
        let edge: RecordID
    }

    /// What a directive that deletes has done.
    struct Deletions: Sendable {
        /// The IDs that are done.
        var ids: Set<String> = []
        /// The records that only name what was deleted. They go with the last payload.
        var namesakes: [DataID] = []
    }

    struct State: Sendable {
        fileprivate(set) var payload = 0
        /// Gets to know the copies, which later parts fill too.
        fileprivate(set) var arriving: ArrivingPlaces?
        var merge = Merge.none
        /// The number of edges of the page that were merged, and the last of them.
        var count = 0
        var last = RecordID.none
        /// The connection's list as the payloads have left it; nil if it was not a payload that added to its end.
        var grown: GrowingList?
        /// The edges in `grown`.
        private var members: Set<RecordID> = []
        /// The members that others have put into the list.
        private var others: Set<RecordID> = []
        /// The members that the payload has added.
        private var newMembers: [RecordID] = []
        var deletions = Deletions()
        /// True once the response has brought the edges, and the page's end cursor.
        var hasEdges = false
        var hasEnd = false
        /// The fields of the page and of its page info that the response has brought.
        private var brought: [RecordID: Set<StorageKeyID>] = [:]
        /// The connection's own edges, by the edges of the response; `RecordID.none` for an edge that was left out.
        private(set) var copies: [Source: RecordID] = [:]
        /// The values that `copies` had before the payload, for the sources that the payload changed.
        private var undo: [(source: Source, old: RecordID?)] = []
        private var before = Before()

        private struct Before {
            var merge = Merge.none
            var count = 0
            var last = RecordID.none
            var grown: GrowingList?
            var deletions = Deletions()
            var hasEdges = false
            var hasEnd = false
            var brought: [RecordID: Set<StorageKeyID>] = [:]
        }

        /// Notes that the response has brought fields of a record; returns those that it has not brought before. A
        /// server may send a field once with each fragment, and what has been done with it since must stay.
        mutating func bring(_ keys: [StorageKeyID], of record: RecordID) -> [StorageKeyID] {
            let new = keys.filter { brought[record]?.contains($0) != true }
            if !new.isEmpty { brought[record, default: []].formUnion(new) }
            return new
        }

        /// Notes a list that is not as the payloads have left it.
        mutating func setMembers(_ list: [RecordID]) {
            members = Set(list)
            others = members.subtracting(copies.values)
            newMembers = []
        }

        /// Returns true if others have put an edge into the list.
        func isOfOthers(_ edge: RecordID) -> Bool { others.contains(edge) }

        /// Adds an edge; returns false if it is a member already.
        mutating func addMember(_ edge: RecordID) -> Bool {
            guard members.insert(edge).inserted else { return false }
            newMembers.append(edge)
            return true
        }

        mutating func note(_ copy: RecordID, for source: Source) {
            undo.append((source, copies.updateValue(copy, forKey: source)))
            note(copy, of: source.edge)
        }

        /// Notes a record that is filled from a record of the response.
        func note(_ copy: RecordID, of source: RecordID) { arriving?.note(copy, of: source) }

        mutating func forgetCopies() {
            for source in Array(copies.keys) { undo.append((source, copies.removeValue(forKey: source))) }
        }

        fileprivate var mergeBefore: Merge { before.merge }

        fileprivate mutating func begin(_ payload: Int) {
            if payload == self.payload {
                for (source, old) in undo.reversed() { copies[source] = old }
                (merge, count, last, grown) = (before.merge, before.count, before.last, before.grown)
                members.subtract(newMembers)
                deletions = before.deletions
                (hasEdges, hasEnd, brought) = (before.hasEdges, before.hasEnd, before.brought)
            } else {
                self.payload = payload
                before = Before(
                    merge: merge, count: count, last: last, grown: grown, deletions: deletions, hasEdges: hasEdges,
                    hasEnd: hasEnd, brought: brought)
            }
            undo = []
            newMembers = []
        }
    }

    private let state: Guarded<State>
    private let reads = Guarded<WorkReads?>(nil)

    init(filling arriving: ArrivingPlaces) {
        var state = State()
        state.arriving = arriving
        self.state = Guarded(state)
    }

    /// Calls `body` with the state that the earlier payloads have left. No lock is held meanwhile.
    func run<Result>(_ payload: Int, _ body: (inout State) throws -> Result) rethrows -> Result {
        var current = State()
        state.withLock { swap(&$0, &current) }
        current.begin(payload)
        defer { state.withLock { swap(&$0, &current) } }
        return try body(&current)
    }

    /// True if a page was merged.
    var isMerged: Bool { state.withLock { $0.merge != .none } }

    /// True if a page was merged before a payload.
    func wasMerged(before payload: Int) -> Bool {
        state.withLock { ($0.payload == payload ? $0.mergeBefore : $0.merge) != .none }
    }

    /// Notes the data that a handler of the application has read in its newest run.
    func note(_ reads: consuming WorkReads) { self.reads.withLock { [reads] in $0 = reads } }

    /// Returns the reads of the handler since the last call of this method; nil if the handler has not run.
    func takeReads() -> WorkReads? { reads.withLock { $0.take() } }
}

/// The data that a handler of the application has read. The handler would give the same result as long as none of it
/// changes.
struct WorkReads: Sendable {
    var fields: [RecordID: Set<StorageKeyID>] = [:]
    /// The records whose existence, type or set of fields was read.
    var records: Set<RecordID> = []
    /// The identities that the handler asked for and that no record had.
    var absent: [DataID] = []
    /// True if anything in the store may have been read.
    var isEverything = false
}
