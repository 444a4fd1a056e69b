/// The decisions that query and fragment handles share: whether what was read is the newest, and whether what there is
/// to show differs from what is shown.
///
/// A value without locks, store or data. Each method is an event; what it returns is what the shell must do.
struct ReaderMachine: Equatable, Sendable {
    /// How new what was read is.
    enum Freshness: Equatable, Sendable {
        /// It has to be read, whatever has changed.
        case stale
        /// Nothing was read since so many changes were counted.
        case current(changes: Int)
        /// The handle has died, and nothing is read any more.
        case closed
    }

    /// What kind of thing is shown; the number tells one failure from another.
    enum Face: Equatable, Sendable {
        case loading
        case failure(Int)
        case null
        /// What was read.
        case window
    }

    /// Another revision is due, because of a publish if there is one.
    struct Change: Equatable, Sendable {
        var publish: Int?
    }

    private(set) var freshness = Freshness.stale
    private(set) var face = Face.loading
    /// What is shown belongs to something else than what is to be read.
    private(set) var isOutdated: Bool
    /// Grows with what is read, and with what is to be read: a read is taken over only if nothing has moved meanwhile.
    private(set) var moves = 0

    init(isOutdated: Bool) {
        self.isOutdated = isOutdated
    }

    /// Something has to be read before it is said what there is, after so many changes.
    func mustRead(at changes: Int) -> Bool {
        switch freshness {
        case .stale: true
        case .current(let last): last != changes
        case .closed: false
        }
    }

    /// Something else is to be shown from now on.
    mutating func turned() {
        guard freshness != .closed else { return }
        freshness = .stale
        isOutdated = true
        moves += 1
    }

    /// The store was read, after so many changes; false if the handle has moved on since `moves` was asked for.
    mutating func read(since moves: Int, at changes: Int) -> Bool {
        guard self.moves == moves, freshness != .closed else { return false }
        freshness = .current(changes: changes)
        self.moves += 1
        return true
    }

    /// What there is to show was worked out; nil if it is shown already.
    ///
    /// - Parameters:
    ///   - isDifferent: what was read is not what was read before.
    ///   - publish: the one that is the reason if what was read has changed.
    ///   - arrival: the one that is the reason if something of another kind is shown.
    mutating func show(_ face: Face, isDifferent: Bool, publish: Int?, arrival: Int?) -> Change? {
        let (last, wasOutdated) = (self.face, isOutdated)
        self.face = face
        isOutdated = false
        if last != face || wasOutdated && isDifferent { return Change(publish: arrival) }
        return !wasOutdated && isDifferent && face == .window ? Change(publish: publish) : nil
    }

    /// There is nothing that may be read: a failure is shown until something else is to be.
    mutating func refuse() {
        face = .failure(0)
        isOutdated = true
    }

    mutating func close() {
        freshness = .closed
    }
}
