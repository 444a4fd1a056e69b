/// The number of holders of each operation, and the release buffer.
///
/// The buffer keeps operations without holders. An operation leaves it when the buffer is full, when it has expired, or
/// when memory is needed. Holders are counted nowhere else. The last release and the move into the buffer are one step.
struct RetainedOperations {
    /// The limits of the release buffer.
    struct Limits: Sendable {
        /// The number of operations in a full buffer. A negative number counts as 0.
        var bufferSize = 0
        /// The time that an operation may stay in the buffer; nil for no limit.
        var expiration: Duration?
    }

    /// An operation with a holder, or in the buffer.
    struct Entry {
        let key: OperationKey
        let artifact: GeneratedCode.OperationArtifact
        /// The plans of the operation. The operation itself would hold the store.
        let plans: BoundPlans
        var holders: Int
        /// The record of the root fields.
        let root: RecordID

        // The methods change the entry in place: a copy of it would count three references (benchmark
        // `fragments.vs-foundation`).

        /// Adds a holder if there is one; returns false otherwise.
        mutating func addHolder() -> Bool {
            guard holders > 0 else { return false }
            holders += 1
            return true
        }

        /// Removes a holder unless it is the last; returns false otherwise.
        mutating func removeHolder() -> Bool {
            guard holders > 1 else { return false }
            holders -= 1
            return true
        }
    }

    /// An operation that was just dropped: it has no holder and is not in the buffer.
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

    /// The result of a release.
    struct Release {
        var isBuffered = false
        /// The released operation, or the operations that it displaced from the buffer.
        var dropped: [Dropped] = []
    }

    private let limits: Limits
    /// The entries by `BoundOperation.identity`.
    private(set) var entries: [ObjectIdentifier: Entry] = [:]
    /// The entries without holders, in the order of their releases.
    private var buffer: [Buffered] = []

    init(_ limits: Limits) { self.limits = limits }

    /// The time at which the next operation in the buffer expires; nil if none does.
    var nextExpiration: Duration? {
        guard let expiration = limits.expiration else { return nil }
        return buffer.first.map { BoundedTime.end(of: expiration, from: $0.time) }
    }

    /// Returns the time at which an operation expires if it enters the buffer now; nil if there is no limit.
    func expiration(from now: Duration) -> Duration? { limits.expiration.map { BoundedTime.end(of: $0, from: now) } }

    // MARK: - Holding

    /// Adds a holder to an operation that has one; returns false if it has none.
    mutating func addHolder(of identity: ObjectIdentifier) -> Bool {
        guard let index = entries.index(forKey: identity) else { return false }
        return entries.values[index].addHolder()
    }

    /// Adds a holder; returns true if the operation was not retained before.
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

    /// Removes a holder unless it is the last; returns false if no holder was removed.
    mutating func removeHolder(of identity: ObjectIdentifier) -> Bool {
        guard let index = entries.index(forKey: identity) else { return false }
        return entries.values[index].removeHolder()
    }

    /// Removes a holder; does nothing if there is none.
    ///
    /// - Parameter reason: The reason why the operation is dropped after its last holder. With nil the operation enters
    ///   the buffer.
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

    // MARK: - Dropping

    /// Drops the expired operations.
    mutating func dropExpired(at now: Duration) -> [Dropped] {
        guard let expiration = limits.expiration else { return [] }
        return dropFirst(buffer.firstIndex { now - $0.time < expiration } ?? buffer.count, .expired)
    }

    /// Drops the operation that has been in the buffer longest.
    mutating func dropOldest() -> [Dropped] { dropFirst(min(1, buffer.count), .memoryBudget) }

    /// Drops all operations in the buffer.
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

    /// Returns the broken invariants: an entry is in the buffer exactly once if it has no holder, and otherwise not.
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
