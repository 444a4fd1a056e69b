/// The decisions of a fragment handle: what it retains and watches, beside those of `ReaderMachine`.
///
/// A value without locks, store or data. Each method is an event; what it returns is what the shell must do.
struct FragmentMachine: Equatable, Sendable {
    /// What to do about the owner of the target before.
    struct Parting: Equatable, Sendable {
        var releases = false
        var unwatches = false
    }

    private(set) var reader = ReaderMachine(isOutdated: true)
    /// The owner of the target is retained, since it does not come from another environment.
    private(set) var isRetaining: Bool
    /// The ledger tells of requests of what is retained.
    private(set) var isWatching = false

    var isClosed: Bool { reader.freshness == .closed }

    init(isRetaining: Bool) {
        self.isRetaining = isRetaining
    }

    /// The handle points elsewhere. The owner of the new target is retained already if it `isOwn`.
    mutating func turned(isOwn: Bool, isSameOwner: Bool) -> Parting {
        var parting = Parting()
        if isClosed {
            parting.releases = isOwn
            return parting
        }
        parting.releases = isRetaining
        parting.unwatches = isWatching && !(isRetaining && isOwn && isSameOwner)
        if parting.unwatches { isWatching = false }
        isRetaining = isOwn
        reader.turned()
        return parting
    }

    /// A read is taken over: whether it changes what is shown, and whether to stop watching its owner.
    mutating func took(
        isMissingData: Bool, face: ReaderMachine.Face, isDifferent: Bool, publish: Int
    ) -> (change: ReaderMachine.Change?, unwatches: Bool) {
        let unwatches = isWatching && !isMissingData
        isWatching = isMissingData
        return (reader.show(face, isDifferent: isDifferent, publish: publish, arrival: nil), unwatches)
    }

    /// The store was read, after so many changes; false if the handle has moved on meanwhile.
    mutating func read(since moves: Int, at changes: Int) -> Bool { reader.read(since: moves, at: changes) }

    /// A read came too late. Its owner was watched if something was missing; another read may want that too.
    func dropped(isMissingData: Bool, isSameOwner: Bool) -> Bool {
        isMissingData && !(isRetaining && isWatching && isSameOwner)
    }

    /// The target belongs to another environment; false if the handle has moved on meanwhile.
    mutating func refused(since moves: Int, at changes: Int) -> Bool {
        guard reader.read(since: moves, at: changes) else { return false }
        reader.refuse()
        return true
    }

    mutating func closed() -> Parting {
        let parting = Parting(releases: isRetaining, unwatches: isWatching)
        reader.close()
        isRetaining = false
        return parting
    }
}
