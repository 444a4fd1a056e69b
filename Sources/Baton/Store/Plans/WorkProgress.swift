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

    struct State: Sendable {
        fileprivate(set) var payload = 0
        var merge = Merge.none
        /// The number of edges of the page that were merged, and the last of them.
        var count = 0
        var last = RecordID.none
        /// True once the response has brought the edges, and the page's end cursor.
        var hasEdges = false
        var hasEnd = false
        /// The connection's own edges, by the edges of the response; `RecordID.none` for an edge that was left out.
        private(set) var copies: [Source: RecordID] = [:]
        /// The values that `copies` had before the payload, for the sources that the payload changed.
        private var undo: [(source: Source, old: RecordID?)] = []
        private var before = Before()

        private struct Before {
            var merge = Merge.none
            var count = 0
            var last = RecordID.none
            var hasEdges = false
            var hasEnd = false
        }

        mutating func note(_ copy: RecordID, for source: Source) {
            undo.append((source, copies.updateValue(copy, forKey: source)))
        }

        mutating func forgetCopies() {
            for source in Array(copies.keys) { undo.append((source, copies.removeValue(forKey: source))) }
        }

        fileprivate var mergeBefore: Merge { before.merge }

        fileprivate mutating func begin(_ payload: Int) {
            if payload == self.payload {
                for (source, old) in undo.reversed() { copies[source] = old }
                (merge, count, last) = (before.merge, before.count, before.last)
                (hasEdges, hasEnd) = (before.hasEdges, before.hasEnd)
            } else {
                self.payload = payload
                before = Before(merge: merge, count: count, last: last, hasEdges: hasEdges, hasEnd: hasEnd)
            }
            undo = []
        }
    }

    private let state = Guarded(State())
    private let reads = Guarded<WorkReads?>(nil)

    /// Calls `body` with the state that the earlier payloads have left. No lock is held meanwhile.
    func run<Result>(_ payload: Int, _ body: (inout State) throws -> Result) rethrows -> Result {
        var current = State()
        state.withLock { swap(&$0, &current) }
        current.begin(payload)
        defer { state.withLock { swap(&$0, &current) } }
        return try body(&current)
    }

    /// True if an earlier payload has merged the page.
    func wasMerged(before payload: Int) -> Bool {
        state.withLock { ($0.payload == payload ? $0.mergeBefore : $0.merge) != .none }
    }

    /// Notes the data that a handler of the application has read in its newest run.
    func note(_ reads: consuming WorkReads) { self.reads.withLock { [reads] in $0 = reads } }

    /// Returns the reads of the handler since the last call of this method; nil if the handler has not run.
    func takeReads() -> WorkReads? { reads.withLock { $0.take() } }
}
