/// The file under a store, or what stands for it in a test.
///
/// Every method is called while no lock of the store is held but, in `write`, that of the writing. `read` may be
/// called from any thread and by several at once; `write` is called by one thread at a time.
package protocol RecordDisk: Sendable {
    /// What the file never gets.
    var unstored: RelayEnvironment.UnstoredData { get }

    /// Opens the file for one process and begins a session in it.
    func open() throws(PersistenceError) -> DiskOpening

    /// What a store begins with although the file could not be opened; nil if it never can be. The store opens it again
    /// before each write, and reads nothing until then.
    func opening(after failure: PersistenceError) -> DiskOpening?

    /// Closes the file soon, so that nothing of it is locked or open. A transaction under way is rolled back, and every
    /// call fails with an error of the kind `suspended` until `resume`. May be called at any time.
    func suspend()

    /// Has calls succeed again after the file was opened anew.
    func resume()

    /// Returns the bytes of records, in the order of the identities; nil for records that the file does not have.
    func read(_ identities: [DiskIdentity]) throws(PersistenceError) -> [[UInt8]?]

    /// Returns the bytes of a shared form; nil if the file has none with this number.
    func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]?

    /// Calls `body` in one transaction. Nothing of it is in the file if it throws.
    func write(_ body: (any DiskTransaction) throws(PersistenceError) -> Void) throws(PersistenceError)

    /// True if the file has more than it may have, or if it is time to look for what is too old.
    var isOverLimits: Bool { get }

    /// Removes what has not been used for the longest time until the file is within its limits, but none of these
    /// records. Returns the number of the file's parts that were removed.
    func evict(keeping identities: [DiskIdentity]) throws(PersistenceError) -> Int

    /// Makes everything durable that was written before: it is there after a loss of power.
    func sync() throws(PersistenceError)

    /// Calls `work` once on a thread of the file's own, a short time from now. Must not call it at once, because the
    /// caller publishes.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Calls `work` once on a thread of the file's own, as soon as that is free.
    func perform(_ work: @escaping @Sendable () -> Void)
}

extension RecordDisk {
    package var unstored: RelayEnvironment.UnstoredData { RelayEnvironment.UnstoredData() }
    package func opening(after failure: PersistenceError) -> DiskOpening? { nil }
    package var isOverLimits: Bool { false }
    package func evict(keeping identities: [DiskIdentity]) throws(PersistenceError) -> Int { 0 }
}

/// A transaction under way.
package protocol DiskTransaction {
    /// True if another process may have changed the file since this one has last written it.
    var isAfterOthers: Bool { get }
    func read(_ identity: DiskIdentity) throws(PersistenceError) -> [UInt8]?
    func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]?
    /// Puts a record in. `body` gets what the file has, and returns the bytes of the record.
    func update(
        _ identity: DiskIdentity, _ body: (_ old: [UInt8]?) throws(PersistenceError) -> [UInt8]
    ) throws(PersistenceError)
    func put(form: [UInt8], _ number: UInt64) throws(PersistenceError)
    /// Sets a small text that is read at every opening.
    func put(_ bytes: [UInt8], for note: DiskNote) throws(PersistenceError)
    func note(_ note: DiskNote) throws(PersistenceError) -> [UInt8]?
    /// Removes all records and notes.
    func removeAll() throws(PersistenceError)
    /// Removes the records of which `isRemoved` says so. It gets their bytes.
    func removeRecords(
        where isRemoved: (_ bytes: [UInt8]) throws(PersistenceError) -> Bool
    ) throws(PersistenceError)
}

extension DiskTransaction {
    /// Puts a record in, in place of what the file has.
    package func put(_ bytes: [UInt8], at identity: DiskIdentity) throws(PersistenceError) {
        try update(identity) { _ in bytes }
    }
}

/// What a file has beside records.
package enum DiskNote: String, Sendable, CaseIterable {
    /// The known relations between object types and abstract types.
    case facts
    /// The invalidations of the store and of types.
    case invalidations
    /// The version of the store at the last write.
    case version
}

/// What is known when a file has been opened.
package struct DiskOpening: Sendable {
    /// A number that no other opening of the file has.
    package let session: UInt32
    package let notes: [DiskNote: [UInt8]]
    /// The time in milliseconds since 1970.
    package let now: Int
    /// What was wrong with the file that was there before, so that a new one has begun; nil if nothing was.
    package let replaced: PersistenceError?

    package init(session: UInt32, notes: [DiskNote: [UInt8]], now: Int, replaced: PersistenceError? = nil) {
        self.session = session
        self.notes = notes
        self.now = now
        self.replaced = replaced
    }

    /// What a store begins with while its file cannot be opened. `now` is the time in milliseconds since 1970.
    ///
    /// The session is above those that files count. The version is above that of any file, as long as an app publishes
    /// less than 64 times a second for years: so what is published now is newer than what the file has.
    package static func waiting(now: Int) -> DiskOpening {
        var writer = DiskWriter()
        writer.append(number: UInt64(max(0, now)) / 1000 * 64)
        return DiskOpening(
            session: .random(in: 1 << 31 ... .max), notes: [.version: writer.bytes], now: now)
    }
}
