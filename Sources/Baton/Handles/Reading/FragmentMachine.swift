/// The decisions of a fragment handle about retaining and watching, in addition to those of `ReaderMachine`.
///
/// The machine is a value without locks, store or data. Each method is an event; its result tells the shell what to do.
struct FragmentMachine: Equatable, Sendable {
    /// The actions for the owner of the old target.
    struct Parting: Equatable, Sendable {
        var releases = false
        var unwatches = false
    }

    private(set) var reader = ReaderMachine(isOutdated: true)
    /// True if the target's owner is retained. It is not if the target comes from another environment.
    private(set) var isRetaining: Bool
    /// The handle is told of requests of what is retained.
    private(set) var isWatching = false

    var isClosed: Bool { reader.freshness == .closed }

    init(isRetaining: Bool) {
        self.isRetaining = isRetaining
    }

    /// Handles a change of the target. If `isOwn` is true, the owner of the new target is retained already.
    mutating func targetChanged(isOwn: Bool, isSameOwner: Bool) -> Parting {
        var parting = Parting()
        if isClosed {
            parting.releases = isOwn
            return parting
        }
        parting.releases = isRetaining
        parting.unwatches = isWatching && !(isRetaining && isOwn && isSameOwner)
        if parting.unwatches { isWatching = false }
        isRetaining = isOwn
        reader.targetChanged()
        return parting
    }

    /// Handles a read that is used. Returns the change of the shown state, if any, and whether to stop watching the
    /// owner.
    mutating func took(
        isMissingData: Bool, shown: ReaderMachine.Shown, isDifferent: Bool, publish: Int
    ) -> (change: ReaderMachine.Change?, unwatches: Bool) {
        let unwatches = isWatching && !isMissingData
        isWatching = isMissingData
        return (reader.show(shown, isDifferent: isDifferent, publish: publish, arrival: nil), unwatches)
    }

    /// Handles a read of the store after `changes` changes; returns false if the handle has moved on meanwhile.
    mutating func read(since moves: Int, at changes: Int) -> Bool { reader.read(since: moves, at: changes) }

    /// Handles a read that came too late. Returns whether to stop watching its owner, which was watched if data was
    /// missing. Another read may need the same watch.
    func dropped(isMissingData: Bool, isSameOwner: Bool) -> Bool {
        isMissingData && !(isRetaining && isWatching && isSameOwner)
    }

    /// Handles a target that belongs to another environment; returns false if the handle has moved on meanwhile.
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
