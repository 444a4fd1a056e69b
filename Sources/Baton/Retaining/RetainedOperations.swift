/// Who holds which operation how often, and the release buffer: the operations that nobody holds any more and that stay
/// until a number of others were released after them, until their time is over, or until the memory is needed.
///
/// The one count of holders in a store. A value: taking back the last hold and going into the buffer is one step.
struct RetainedOperations {
    /// How much stays of what nobody holds.
    struct Limits: Sendable {
        /// How many operations the buffer keeps; none if it is negative.
        var bufferSize = 0
        /// How long an operation stays in the buffer; nil for as long as there is room.
        var expiration: Duration?
    }

    /// An operation that somebody holds, or that is in the buffer.
    struct Entry {
        let key: OperationKey
        let artifact: GeneratedCode.OperationArtifact
        /// Everything of the operation but the store, which holds this.
        let plans: BoundPlans
        var holders: Int
        /// Where its root fields are: those of a subscription in the last event.
        var root: RecordID
    }

    /// An operation that is retained no longer.
    struct Dropped: Sendable {
        let key: OperationKey
        let artifact: GeneratedCode.OperationArtifact
        let plans: BoundPlans
        let reason: ReleaseReason
        /// The time at which the last holder released the operation.
        let time: Duration
    }

    private struct Buffered {
        let identity: ObjectIdentifier
        let time: Duration
    }

    /// What became of an operation that somebody has let go of.
    struct Release {
        var isBuffered = false
        /// The operation itself, or those that it has pushed out of the buffer.
        var dropped: [Dropped] = []
    }

    private let limits: Limits
    /// By `BoundOperation.identity`.
    private(set) var entries: [ObjectIdentifier: Entry] = [:]
    /// Entries without holders, the longest unused first.
    private var buffer: [Buffered] = []

    init(_ limits: Limits) { self.limits = limits }

    /// When the next operation in the buffer is over; nil if there is none, or no limit.
    var nextExpiration: Duration? {
        guard let expiration = limits.expiration else { return nil }
        return buffer.first.map { $0.time + expiration }
    }

    /// When the time of what comes into the buffer now is over; nil if there is no limit.
    func expiration(from now: Duration) -> Duration? { limits.expiration.map { now + $0 } }

    // MARK: - Holding

    /// Adds a holder of what somebody holds already; false if nobody does.
    mutating func addHolder(of identity: ObjectIdentifier) -> Bool {
        guard let index = entries.index(forKey: identity), entries.values[index].holders > 0 else { return false }
        entries.values[index].holders += 1
        return true
    }

    /// Adds a holder; true if the operation was not retained before.
    mutating func retain(_ operation: BoundOperation) -> Bool {
        let identity = operation.identity
        if addHolder(of: identity) { return false }
        if let index = entries.index(forKey: identity) {
            buffer.removeAll { $0.identity == identity }
            entries.values[index].holders = 1
            return false
        }
        entries[identity] = Entry(
            key: operation.key, artifact: operation.artifact, plans: operation.plans, holders: 1, root: operation.root)
        return true
    }

    /// Takes a holder away that is not the last; false if there is no other.
    mutating func removeHolder(of identity: ObjectIdentifier) -> Bool {
        guard let index = entries.index(forKey: identity), entries.values[index].holders > 1 else { return false }
        entries.values[index].holders -= 1
        return true
    }

    /// Takes a holder away; does nothing if there is none. After the last the operation goes into the buffer, or is
    /// retained no longer for a reason.
    mutating func release(_ identity: ObjectIdentifier, at time: Duration, because reason: ReleaseReason?) -> Release {
        if removeHolder(of: identity) { return Release() }
        guard let index = entries.index(forKey: identity), entries.values[index].holders == 1 else { return Release() }
        if let reason { return Release(dropped: [drop(identity, reason, at: time)].compactMap(\.self)) }
        entries.values[index].holders = 0
        buffer.append(Buffered(identity: identity, time: time))
        let isBuffered = limits.bufferSize > 0
        let excess = max(0, buffer.count - max(0, limits.bufferSize))
        return Release(isBuffered: isBuffered, dropped: dropFirst(excess, isBuffered ? .bufferWasFull : .released))
    }

    mutating func setRoot(_ root: RecordID, of identity: ObjectIdentifier) { entries[identity]?.root = root }

    // MARK: - Letting go

    /// Empties the buffer of what is over.
    mutating func dropExpired(at now: Duration) -> [Dropped] {
        guard let expiration = limits.expiration else { return [] }
        return dropFirst(buffer.firstIndex { now - $0.time < expiration } ?? buffer.count, .expired)
    }

    /// Takes the operation out of the buffer that has been there longest.
    mutating func dropOldest() -> [Dropped] { dropFirst(min(1, buffer.count), .memoryBudget) }

    /// Empties the buffer.
    mutating func dropAll() -> [Dropped] { dropFirst(buffer.count, .released) }

    private mutating func dropFirst(_ count: Int, _ reason: ReleaseReason) -> [Dropped] {
        let first = buffer[..<count]
        buffer.removeFirst(count)
        return first.compactMap { drop($0.identity, reason, at: $0.time) }
    }

    private mutating func drop(_ identity: ObjectIdentifier, _ reason: ReleaseReason, at time: Duration) -> Dropped? {
        entries.removeValue(forKey: identity).map {
            Dropped(key: $0.key, artifact: $0.artifact, plans: $0.plans, reason: reason, time: time)
        }
    }

    // MARK: - Invariants

    /// What has no holder is in the buffer once, in the order of release, and nothing else is.
    func violations() -> [String] {
        var found: [String] = []
        let buffered = Set(buffer.map(\.identity))
        if buffered.count != buffer.count { found.append("an operation is in the release buffer twice") }
        if buffer.count > max(0, limits.bufferSize) { found.append("the release buffer is too long") }
        for (identity, entry) in entries where (entry.holders == 0) != buffered.contains(identity) {
            found.append("an operation with \(entry.holders) holders is wrongly in the release buffer, or not")
        }
        if !buffered.isSubset(of: entries.keys) { found.append("the release buffer has what is not retained") }
        for (identity, entry) in entries where identity != ObjectIdentifier(entry.plans) {
            found.append("an operation is retained under another one's plans")
        }
        return found
    }
}
