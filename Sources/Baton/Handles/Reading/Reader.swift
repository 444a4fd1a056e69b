// Freshness has several owners, this one for the last read; ReadingTheDesign.md names the others.

/// What a handle has read and shows: the part that the machines of queries and of fragments have in common.
struct Reader: Sendable {
    /// The freshness of the last read.
    enum Freshness: Equatable, Sendable {
        /// The data must be read in any case.
        case stale
        /// The last read was done after this number of changes.
        case current(changes: Int)
        /// The handle has ended, and nothing is read any more.
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

    /// What the shown content belongs to.
    enum Subject: Equatable, Sendable {
        /// The query or target that is read.
        case present
        /// Another query or target than the next read.
        case former
    }

    // The order of the properties leaves no gaps, because thousands of handles have a reader (benchmark
    // `handle.create-ns`).

    /// A number that grows with every read and with every change of the requested query or target. A read is used only
    /// if the number has not changed meanwhile.
    private(set) var moves = 0
    /// What is on show; nil before the first read.
    private(set) var reading: Reading?
    /// The last read; nil before the first one.
    private(set) var result: RowResult?
    private(set) var freshness = Freshness.stale
    private(set) var subject: Subject
    private(set) var shown = Shown.loading
    /// The subscription to what was read. It is cleared while nothing is read, so that the handle keeps its place: it
    /// is told of a change before the handles that were made of its data.
    private(set) var subscription: SubscriptionID?

    @inline(__always)
    init(_ subject: Subject) {
        self.subject = subject
    }

    /// Returns true if the data must be read after `changes` changes.
    func mustRead(at changes: Int) -> Bool {
        switch freshness {
        case .stale: true
        case .current(let last): last != changes
        case .closed: false
        }
    }

    /// Returns true if the last read began after `changes` changes or later and failed because its result is too large.
    ///
    /// Such a read begins anew each time, so it might never be the newest. It is shown, and the next call reads again.
    func isTooLarge(since changes: Int) -> Bool {
        guard case .current(let last) = freshness, last >= changes else { return false }
        return if case .resultTooLarge? = result?.failure?.reason { true } else { false }
    }

    /// Notes that another requested query or target is to be read.
    mutating func targetChanged() {
        guard freshness != .closed else { return }
        freshness = .stale
        subject = .former
        moves += 1
    }

    /// Forgets the last read; what is shown stays. Returns the subscription that is to be cleared.
    mutating func forget() -> SubscriptionID? {
        result = nil
        return subscription
    }

    /// Accepts a read that began at `moves` after `changes` changes; returns false if the handle has moved on since.
    mutating func accept(since moves: Int, at changes: Int) -> Bool {
        guard self.moves == moves, freshness != .closed else { return false }
        freshness = .current(changes: changes)
        self.moves += 1
        return true
    }

    /// Takes a read that was accepted.
    mutating func take(_ result: RowResult) { self.result = result }

    mutating func subscribed(_ id: SubscriptionID) { subscription = id }

    /// Shows a content, unless it is shown already.
    ///
    /// - Parameters:
    ///   - isDifferent: True if the data differs from that of the last read.
    ///   - publish: The publish that changed the data, if it has changed.
    ///   - arrival: The publish that caused the change, if a content of another kind is shown.
    /// - Returns: True if the reading is another one now.
    mutating func show(
        _ shown: Shown, isDifferent: Bool, publish: Int?, arrival: Int?, _ content: @autoclosure () -> Reading.Content
    ) -> Bool {
        let (last, former) = (self.shown, subject)
        self.shown = shown
        subject = .present
        if last != shown || former == .former && isDifferent {
            reading = Reading(after: reading, content(), changedBy: arrival)
        } else if former == .present && isDifferent && shown == .data {
            reading = Reading(after: reading, content(), changedBy: publish)
        } else {
            return false
        }
        return true
    }

    /// Shows the same content with another status.
    mutating func showStatus() {
        let reading = reading ?? .nothing
        self.reading = Reading(after: reading, reading.content, changedBy: nil)
    }

    /// Shows a failure for a target that cannot be read, until the target changes.
    mutating func refuse(_ content: Reading.Content) {
        shown = .failure(0)
        subject = .former
        reading = Reading(after: reading, content, changedBy: nil)
    }

    /// Ends the reading; what is shown stays. Returns the subscription that is to be ended.
    mutating func close() -> SubscriptionID? {
        defer { (result, subscription) = (nil, nil) }
        freshness = .closed
        return subscription
    }
}
