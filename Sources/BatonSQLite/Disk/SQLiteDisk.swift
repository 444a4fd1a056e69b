import Baton
import Dispatch
import Foundation
import Synchronization

/// A file of SQLite under a store.
///
/// One connection writes, and others read, each for one thread at a time. Readers wait for nobody but the threads
/// before them: the file keeps its changes in a log. Writing, opening, and moving the log into the file happen under
/// the lock beside the file, one after the other for all processes. While the file is suspended nothing of it is open.
package final class SQLiteDisk: RecordDisk {
    let options: SQLiteDiskOptions
    package var unstored: RelayEnvironment.UnstoredData { options.unstored }
    private let writer = SharedConnection<SQLiteWriter>(.file)
    private let readers: [SharedConnection<DiskTables>]
    private let note = Guarded<OpeningNote?>(nil)
    private let stop = SQLiteStop()
    private let turn = Atomic<Int>(0)
    private let sizes = SQLiteSizes()
    private let queue = DispatchQueue(label: "baton.sqlite", qos: .utility)
    /// The number of writes that failed one after the other.
    private let failures = Atomic<Int>(0)

    /// The time between a publish and its writing, so that what is published meanwhile is written with it. After
    /// failures it is longer.
    private static let pause = 100
    private static let longestPause = 30_000
    private static let readerCount = 3

    /// Names a file, which is opened by the store.
    package init(_ options: SQLiteDiskOptions) {
        self.options = options
        readers = (0..<Self.readerCount).map { _ in SharedConnection(.fileReading) }
    }

    package convenience init(path: String) { self.init(SQLiteDiskOptions(path: path)) }

    deinit { close() }

    /// Closes the file. What the store had written stays; what it had not is not written.
    package func close() {
        closeReaders()
        writer.use { writer in
            guard let open = writer else { return }
            writer = nil
            defer { setNote(nil) }
            // The last connection to a file moves the log into it.
            let lock = try? FileLock(of: options.path, wait: .seconds(1))
            open.tables.connection.close()
            _ = consume lock
        }
    }

    private func closeReaders(isLogKept: Bool = false) {
        for reader in readers {
            reader.use { tables in
                tables?.connection.close(isLogKept: isLogKept)
                tables = nil
            }
        }
    }

    // MARK: - Suspension

    package func suspend() {
        stop.stop()
        // Moving the log would take time, and the lock that others may have.
        closeReaders(isLogKept: true)
        writer.use { writer in
            writer?.tables.connection.close(isLogKept: true)
            writer = nil
            setNote(nil)
        }
    }

    package func resume() { stop.goOn() }

    /// Calls `body` unless the file is suspended. What fails meanwhile is no failure of the file.
    private func unlessSuspended<Result>(
        _ body: () throws(PersistenceError) -> Result
    ) throws(PersistenceError) -> Result {
        if stop.isStopped { throw .suspended }
        do throws(PersistenceError) {
            return try body()
        } catch {
            throw stop.isStopped ? .suspended : error
        }
    }

    // MARK: - Opening

    package func open() throws(PersistenceError) -> DiskOpening {
        do throws(PersistenceError) {
            return try unlessSuspended(openOnce)
        } catch {
            failures.add(1, ordering: .relaxed)
            throw error
        }
    }

    private func openOnce() throws(PersistenceError) -> DiskOpening {
        try writer.use { (writer) throws(PersistenceError) in
            try reporting { () throws(SQLiteError) in try stop.check() }
            writer = nil
            setNote(nil)
            let lock = try lock()
            let note = OpeningNote(of: options.path)
            var opener = try DiskOpener(options, note, stop)
            do throws(PersistenceError) {
                let opened = try opener.open()
                writer = opened.writer
                setNote(note)
                _ = consume lock
                return opened.opening
            } catch {
                note?.takeBack()
                throw error
            }
        }
    }

    package func opening(after failure: PersistenceError) -> DiskOpening? {
        guard [.inputOutput, .busy, .full].contains(failure.kind) else { return nil }
        // A folder that is missing does not come by itself. One that is locked is there.
        let folder = URL(filePath: options.path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else { return nil }
        return .waiting(now: DiskOpener.now)
    }

    /// Takes the note of a new opening. The one before has ended well.
    private func setNote(_ new: OpeningNote?) {
        let old = note.withLock { note in
            defer { note = new }
            return note
        }
        old?.survive()
        old?.close()
        guard let new else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(options.trial.milliseconds)) { [weak new] in new?.survive() }
    }

    // MARK: - Reading

    package func read(_ identities: [DiskIdentity]) throws(PersistenceError) -> [[UInt8]?] {
        try reading { (tables) throws(SQLiteError) in try tables.read(identities) }
    }

    package func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]? {
        try reading { (tables) throws(SQLiteError) in try tables.form(number) }
    }

    func reading<Result>(
        _ body: (DiskTables) throws(SQLiteError) -> Result
    ) throws(PersistenceError) -> Result {
        let reader = readers[(turn.add(1, ordering: .relaxed).newValue & Int.max) % readers.count]
        return try unlessSuspended { () throws(PersistenceError) in
            try reporting { () throws(SQLiteError) in
                try reader.use { (tables) throws(SQLiteError) in
                    // Who waited for the connection would open it anew.
                    try stop.check()
                    let open = if let tables { tables } else { try self.reader() }
                    tables = open
                    return try body(open)
                }
            }
        }
    }

    private func reader() throws(SQLiteError) -> DiskTables {
        let library = try SQLiteLibrary.load(named: options.library)
        return try DiskTables(
            SQLiteConnection(options.path, .init(wait: options.wait, key: options.key, stop: stop), library: library),
            now: options.limits.isLimited ? options.now : nil)
    }

    // MARK: - Writing

    package func write(_ body: (any DiskTransaction) throws(PersistenceError) -> Void) throws(PersistenceError) {
        do throws(PersistenceError) {
            let (now, uses) = (options.now(), takeUses())
            try writing { (writer) throws(PersistenceError) in
                let transaction = SQLiteTransaction(writer, stop)
                try writer.transaction { () throws(PersistenceError) in
                    try body(transaction)
                    try reporting { () throws(SQLiteError) in
                        try transaction.end()
                        try writer.noteUses(uses, at: now)
                    }
                }
                writer.noteWritten(transaction.written)
                sizes.noteWritten(transaction.written)
                writer.moveLogIfLong()
            }
        } catch {
            failures.add(1, ordering: .relaxed)
            throw error
        }
        failures.store(0, ordering: .relaxed)
        note.withLock { $0 }?.noteWritten()
    }

    package func sync() throws(PersistenceError) {
        try writing { (writer) throws(PersistenceError) in try writer.sync() }
    }

    /// Moves the log into the file.
    package func moveLog() throws(PersistenceError) {
        try writing { (writer) throws(PersistenceError) in
            try reporting { () throws(SQLiteError) in try writer.moveLog() }
        }
    }

    /// Calls `body` with the writer under the lock of the file.
    private func writing(_ body: (SQLiteWriter) throws(PersistenceError) -> Void) throws(PersistenceError) {
        try unlessSuspended { () throws(PersistenceError) in
            try writer.use { (writer) throws(PersistenceError) in
                guard let writer else { throw PersistenceError("the file is closed", .other) }
                let lock = try lock()
                try body(writer)
                _ = consume lock
            }
        }
    }

    private func lock() throws(PersistenceError) -> FileLock {
        do throws(SQLiteError) {
            return try FileLock(of: options.path, wait: options.wait, unless: stop)
        } catch { throw PersistenceError(error) }
    }

    // MARK: - Limits

    package var isOverLimits: Bool {
        guard options.limits.isLimited, sizes.mustLook(options.limits, at: options.now()) else { return false }
        guard let limit = options.limits.size, options.limits.age == nil else { return true }
        let size = try? reading { (tables) throws(SQLiteError) in try tables.size() }
        return size.map { $0 > limit } ?? false
    }

    package func evict(keeping identities: [DiskIdentity]) throws(PersistenceError) -> Int {
        let (now, uses) = (options.now(), takeUses())
        try transaction { (writer) throws(SQLiteError) in try writer.noteUses(uses, at: now) }
        let eviction = SQLiteEviction(limits: options.limits, now: now, disk: self)
        let (removed, isEnough) = try eviction.run(keeping: identities)
        sizes.noteLook(isEnough: isEnough, at: now)
        return removed
    }

    /// Takes the rows that were read, of which no write has noted yet that they were used.
    private func takeUses() -> Set<Int64> {
        guard options.limits.isLimited else { return [] }
        return readers.reduce(into: []) { uses, reader in
            uses.formUnion(reader.use { tables in tables?.takeUses() ?? [] })
        }
    }

    /// Calls `body` in a transaction of its own.
    func transaction(_ body: (SQLiteWriter) throws(SQLiteError) -> Void) throws(PersistenceError) {
        try writing { (writer) throws(PersistenceError) in
            try writer.transaction { () throws(PersistenceError) in
                try reporting { () throws(SQLiteError) in try body(writer) }
            }
            writer.moveLogIfLong()
        }
    }

    // MARK: - The thread of the file

    package func schedule(_ work: @escaping @Sendable () -> Void) {
        let failed = min(failures.load(ordering: .relaxed), 10)
        let pause = min(Self.pause << failed, Self.longestPause)
        queue.asyncAfter(deadline: .now() + .milliseconds(pause), execute: work)
    }

    package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

/// Which file a store has, and how it is opened.
package struct SQLiteDiskOptions: Sendable {
    package var path: String
    /// The name of the library; nil for the system's.
    package var library: String?
    /// The key of an encrypted file.
    package var key: [UInt8]?
    /// Whose data the file has. A file of another account is emptied.
    package var account = ""
    /// What the app's own data is like. A file of another generation is emptied.
    package var generation = ""
    /// What the file never gets. A file with another list is emptied.
    package var unstored = RelayEnvironment.UnstoredData()
    /// How long a call waits for others who use the file.
    package var wait = Duration.seconds(2)
    /// How large the file may be, and how long it keeps what nobody uses.
    var limits = SQLiteLimits()
    /// The time in seconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    /// A program that lives for so long after the opening, or writes, does not die of what is stored.
    package var trial = Duration.seconds(5)
    /// The length of the log above which it is moved into the file after a write: the moving takes about 10 ms.
    package var longLog = 4 << 20

    /// The generation with the list of what is left out. No app has a text with that byte.
    var wholeGeneration: String { unstored.isEmpty ? generation : "\(generation)\u{1}\(unstored.text)" }

    package init(path: String) { self.path = path }
}
