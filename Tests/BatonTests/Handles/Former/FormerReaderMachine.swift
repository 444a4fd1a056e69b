@testable import Baton

/// The common decisions of query and fragment handles: whether the last read is the newest, and whether the shown state
/// has to change.
///
/// The machine is a value without locks, store or data. Each method is an event; its result tells the shell what to do.
struct FormerReaderMachine: Equatable, Sendable {
    /// The freshness of the last read.
    enum Freshness: Equatable, Sendable {
        /// The data must be read in any case.
        case stale
        /// The last read was done after this number of changes.
        case current(changes: Int)
        /// The handle was deinitialized, and nothing is read any more.
        case closed
    }

    /// The kind of content that is shown; the number distinguishes failures.
    enum Shown: Equatable, Sendable {
        case loading
        case failure(Int)
        case null
        /// The data that was read.
        case data
    }

    /// A new revision of the reading, with the publish that caused it, if any.
    struct Change: Equatable, Sendable {
        var publish: Int?
    }

    private(set) var freshness = Freshness.stale
    private(set) var shown = Shown.loading
    /// True if the shown content belongs to another requested query or target than the next read.
    private(set) var isOutdated: Bool
    /// A number that grows with every read and with every change of the requested query or target. A read is used only
    /// if the number has not changed meanwhile.
    private(set) var moves = 0

    init(isOutdated: Bool) {
        self.isOutdated = isOutdated
    }

    /// Returns true if the data must be read after `changes` changes.
    func mustRead(at changes: Int) -> Bool {
        switch freshness {
        case .stale: true
        case .current(let last): last != changes
        case .closed: false
        }
    }

    /// Notes that another requested query or target is to be shown.
    mutating func targetChanged() {
        guard freshness != .closed else { return }
        freshness = .stale
        isOutdated = true
        moves += 1
    }

    /// Handles a read of the store after `changes` changes; returns false if the handle has moved on since `moves`.
    mutating func read(since moves: Int, at changes: Int) -> Bool {
        guard self.moves == moves, freshness != .closed else { return false }
        freshness = .current(changes: changes)
        self.moves += 1
        return true
    }

    /// Shows a content; returns nil if it is shown already.
    ///
    /// - Parameters:
    ///   - isDifferent: True if the data differs from that of the last read.
    ///   - publish: The publish that changed the data, if it has changed.
    ///   - arrival: The publish that caused the change, if a content of another kind is shown.
    mutating func show(_ shown: Shown, isDifferent: Bool, publish: Int?, arrival: Int?) -> Change? {
        let (last, wasOutdated) = (self.shown, isOutdated)
        self.shown = shown
        isOutdated = false
        if last != shown || wasOutdated && isDifferent { return Change(publish: arrival) }
        return !wasOutdated && isDifferent && shown == .data ? Change(publish: publish) : nil
    }

    /// Shows a failure for a target that cannot be read, until the target changes.
    mutating func refuse() {
        shown = .failure(0)
        isOutdated = true
    }

    mutating func close() {
        freshness = .closed
    }
}
