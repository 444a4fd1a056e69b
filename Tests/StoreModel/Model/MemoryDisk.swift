import Baton

/// A file under a store of the model.
package protocol ModelDisk: RecordDisk {
    /// Has all writes fail; nil ends that.
    func setWriteFailure(_ failure: PersistenceError?)

    /// Waits until the thread of the file has done what it was given.
    func finishWork()

    /// Ends the work of one store, and returns what the next store opens.
    func restarted() throws -> any ModelDisk
}

/// A file in memory. Writing and reading cost nothing, and a transaction takes effect as a whole or not at all.
package final class MemoryDisk: ModelDisk {
    package struct Contents: Sendable {
        package var records: [DiskIdentity: [UInt8]] = [:]
        package var forms: [UInt64: [UInt8]] = [:]
        package var notes: [DiskNote: [UInt8]] = [:]
    }

    package struct State: Sendable {
        package var contents = Contents()
        package var sessions: UInt32 = 0
        package var scheduled: [@Sendable () -> Void] = []
        /// The numbers of calls so far.
        package var reads = 0
        package var recordsRead = 0
        package var writes = 0
        /// The failure of openings, after which a store waits; nil if they succeed.
        package var openFailure: PersistenceError?
        /// The failure of all calls; nil if they succeed.
        package var readFailure: PersistenceError?
        package var writeFailure: PersistenceError?
        package var now = 0
        package var isSuspended = false
        /// What happens once while something is read, and while something is written.
        package var whileReading: (@Sendable () -> Void)?
        package var whileWriting: (@Sendable () -> Void)?
        /// True after another process has changed the contents.
        package var isAfterOthers = false
    }

    private let state = Guarded(State())

    package let unstored: RelayEnvironment.UnstoredData

    package init(unstored: RelayEnvironment.UnstoredData = RelayEnvironment.UnstoredData()) { self.unstored = unstored }

    package func look<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        state.withLock { body(&$0) }
    }

    package func open() throws(PersistenceError) -> DiskOpening {
        let (failure, opening) = state.withLock { state in
            let failure = state.isSuspended ? .suspended : state.openFailure
            if failure == nil { state.sessions += 1 }
            return (
                failure,
                DiskOpening(session: state.sessions, notes: state.contents.notes, now: state.now)
            )
        }
        if let failure { throw failure }
        return opening
    }

    package func suspend() { look { $0.isSuspended = true } }
    package func resume() { look { $0.isSuspended = false } }

    package func opening(after failure: PersistenceError) -> DiskOpening? { .waiting(now: look { $0.now }) }

    /// Has a call happen once after the next read has got its records, and before it returns them.
    package func whileReading(_ body: @escaping @Sendable () -> Void) { look { $0.whileReading = body } }

    /// Has a call happen once inside the next transaction.
    package func whileWriting(_ body: @escaping @Sendable () -> Void) { look { $0.whileWriting = body } }

    private func call(_ path: WritableKeyPath<State, (@Sendable () -> Void)?>) {
        let body = state.withLock { state in
            defer { state[keyPath: path] = nil }
            return state[keyPath: path]
        }
        body?()
    }

    package func read(_ identities: [DiskIdentity]) throws(PersistenceError) -> [[UInt8]?] {
        let (failure, found) = state.withLock { state in
            state.reads += 1
            state.recordsRead += identities.count
            return (state.isSuspended ? .suspended : state.readFailure, identities.map { state.contents.records[$0] })
        }
        if let failure { throw failure }
        call(\.whileReading)
        return found
    }

    package func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]? {
        state.withLock { $0.contents.forms[number] }
    }

    package func write(_ body: (any DiskTransaction) throws(PersistenceError) -> Void) throws(PersistenceError) {
        let (failure, contents, isAfterOthers) = state.withLock {
            ($0.isSuspended ? .suspended : $0.writeFailure, $0.contents, $0.isAfterOthers)
        }
        if let failure { throw failure }
        let transaction = Transaction(contents, isAfterOthers)
        try body(transaction)
        call(\.whileWriting)
        if let failure = state.withLock({ $0.writeFailure }) { throw failure }
        state.withLock { state in
            state.isAfterOthers = false
            state.contents = transaction.contents
            state.writes += 1
        }
    }

    package func sync() throws(PersistenceError) {
        if let failure = state.withLock({ $0.isSuspended ? .suspended : $0.writeFailure }) { throw failure }
    }

    package func perform(_ work: @escaping @Sendable () -> Void) { schedule(work) }

    package func schedule(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.scheduled.append(work) }
    }

    package func setWriteFailure(_ failure: PersistenceError?) { look { $0.writeFailure = failure } }

    package func finishWork() { runScheduled() }

    package func restarted() -> any ModelDisk {
        // What was scheduled ends with the process.
        look { $0.scheduled = [] }
        return self
    }

    /// Does what was scheduled.
    package func runScheduled() {
        let work = state.withLock { state in
            defer { state.scheduled = [] }
            return state.scheduled
        }
        for one in work { one() }
    }

    private final class Transaction: DiskTransaction {
        var contents: Contents
        let isAfterOthers: Bool

        init(_ contents: Contents, _ isAfterOthers: Bool) {
            self.contents = contents
            self.isAfterOthers = isAfterOthers
        }

        func read(_ identity: DiskIdentity) throws(PersistenceError) -> [UInt8]? { contents.records[identity] }
        func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]? { contents.forms[number] }
        func update(
            _ identity: DiskIdentity, _ body: (_ old: [UInt8]?) throws(PersistenceError) -> [UInt8]
        ) throws(PersistenceError) {
            contents.records[identity] = try body(contents.records[identity])
        }
        func put(form: [UInt8], _ number: UInt64) throws(PersistenceError) { contents.forms[number] = form }
        func put(_ bytes: [UInt8], for note: DiskNote) throws(PersistenceError) { contents.notes[note] = bytes }
        func note(_ note: DiskNote) throws(PersistenceError) -> [UInt8]? { contents.notes[note] }
        func removeAll() throws(PersistenceError) { contents = Contents() }
        func removeRecords(
            where isRemoved: (_ bytes: [UInt8]) throws(PersistenceError) -> Bool
        ) throws(PersistenceError) {
            for (identity, bytes) in contents.records where try isRemoved(bytes) { contents.records[identity] = nil }
        }
    }
}
