import Baton
import BatonSQLite
import Dispatch
import StoreModel

/// A file of SQLite that is written only when the run says so, and of which the notes are remembered.
package final class CutDisk: ModelDisk {
    typealias Notes = [DiskNote: [UInt8]]

    private struct State: Sendable {
        var notes: Notes = [:]
        /// The session of the opening, and what was wrong with the file before.
        var opening: DiskOpening?
        var writeFailure: PersistenceError?
    }

    let path: String
    private let disk: SQLiteDisk
    /// Whether the file is written on its own thread soon after a publish.
    private let isWrittenByItself: Bool
    private let longLog: Int
    private let state = Guarded(State())

    package init(_ path: String, isWrittenByItself: Bool = false, longLog: Int = 4 << 20) {
        self.path = path
        self.isWrittenByItself = isWrittenByItself
        self.longLog = longLog
        var options = SQLiteDiskOptions(path: path)
        options.wait = .milliseconds(5)
        options.longLog = longLog
        disk = SQLiteDisk(options)
    }

    /// The lengths of the log above which it is moved into the file: after every write, after some, or never.
    static let longLogs = [0, 10_000, 60_000, 4 << 20]

    /// The notes that the file has.
    var notes: Notes { state.withLock { $0.notes } }

    var opening: DiskOpening? { state.withLock { $0.opening } }

    func close() { disk.close() }

    func moveLog() throws(PersistenceError) { try disk.moveLog() }

    // MARK: - The file of a store

    package func open() throws(PersistenceError) -> DiskOpening {
        let opening = try disk.open()
        state.withLock { state in
            state.opening = opening
            state.notes = opening.notes
        }
        return opening
    }

    package func suspend() { disk.suspend() }
    package func resume() { disk.resume() }

    package func read(_ identities: [DiskIdentity]) throws(PersistenceError) -> [[UInt8]?] {
        try disk.read(identities)
    }

    package func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]? { try disk.form(number) }

    package func write(_ body: (any DiskTransaction) throws(PersistenceError) -> Void) throws(PersistenceError) {
        let (failure, before) = state.withLock { ($0.writeFailure, $0.notes) }
        var notes = before
        try disk.write { (transaction) throws(PersistenceError) in
            let noted = NotedTransaction(transaction, before)
            try body(noted)
            // What was written until here goes again.
            if let failure { throw failure }
            notes = noted.notes
        }
        state.withLock { [notes] in $0.notes = notes }
    }

    package func sync() throws(PersistenceError) { try disk.sync() }

    package func schedule(_ work: @escaping @Sendable () -> Void) {
        // Soon, so that much is written while other things happen.
        if isWrittenByItself { disk.perform(work) }
    }

    package func perform(_ work: @escaping @Sendable () -> Void) { disk.perform(work) }

    // MARK: - The file of the model

    package func setWriteFailure(_ failure: PersistenceError?) { state.withLock { $0.writeFailure = failure } }

    package func finishWork() {
        let end = DispatchSemaphore(value: 0)
        disk.perform { end.signal() }
        end.wait()
    }

    package func restarted() -> any ModelDisk {
        disk.close()
        return CutDisk(path, isWrittenByItself: isWrittenByItself, longLog: longLog)
    }

    /// A transaction whose notes are remembered.
    private final class NotedTransaction: DiskTransaction {
        private let transaction: any DiskTransaction
        private(set) var notes: Notes

        init(_ transaction: any DiskTransaction, _ notes: Notes) {
            self.transaction = transaction
            self.notes = notes
        }

        var isAfterOthers: Bool { transaction.isAfterOthers }

        func read(_ identity: DiskIdentity) throws(PersistenceError) -> [UInt8]? { try transaction.read(identity) }

        func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]? { try transaction.form(number) }

        func update(
            _ identity: DiskIdentity, _ body: (_ old: [UInt8]?) throws(PersistenceError) -> [UInt8]
        ) throws(PersistenceError) {
            try transaction.update(identity, body)
        }

        func put(form: [UInt8], _ number: UInt64) throws(PersistenceError) {
            try transaction.put(form: form, number)
        }

        func put(_ bytes: [UInt8], for note: DiskNote) throws(PersistenceError) {
            try transaction.put(bytes, for: note)
            notes[note] = bytes
        }

        func note(_ note: DiskNote) throws(PersistenceError) -> [UInt8]? { try transaction.note(note) }

        func removeRecords(
            where isRemoved: (_ bytes: [UInt8]) throws(PersistenceError) -> Bool
        ) throws(PersistenceError) { try transaction.removeRecords(where: isRemoved) }
        func removeAll() throws(PersistenceError) {
            try transaction.removeAll()
            notes = [:]
        }
    }
}
