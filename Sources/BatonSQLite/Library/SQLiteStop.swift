import Baton
import BatonSQLiteLibrary
import Synchronization

/// Ends the calls of several connections from another thread, and lets none begin until `goOn`.
///
/// State: the connections, guarded by a lock, a leaf, and an atomic flag. A connection is noted as long as its handle
/// can be used.
package final class SQLiteStop: Sendable {
    /// A connection. The call that ends its work is one that SQLite allows on any thread.
    private struct Entry: @unchecked Sendable {
        let handle: OpaquePointer
        let functions: UnsafePointer<BatonSQLiteLibrary>
        let waiting: UnsafeMutablePointer<BatonSQLiteWait>

        func stop() { baton_sqlite_stop(functions, handle, waiting) }
    }

    private let entries = Guarded<[Entry]>([])
    private let flag = Atomic(false)

    package init() {}

    package var isStopped: Bool { flag.load(ordering: .acquiring) }

    /// Throws if no call may begin.
    func check() throws(SQLiteError) {
        if isStopped { throw SQLiteError(Int32(BATON_SQLITE_INTERRUPT), "the file is suspended") }
    }

    /// Ends all calls that are under way. A transaction in which one of them was is rolled back by its owner.
    package func stop() {
        entries.withLock { entries in
            flag.store(true, ordering: .releasing)
            for entry in entries { entry.stop() }
        }
    }

    package func goOn() { flag.store(false, ordering: .releasing) }

    func add(
        _ handle: OpaquePointer, _ library: SQLiteLibrary, _ waiting: UnsafeMutablePointer<BatonSQLiteWait>
    ) {
        let entry = Entry(handle: handle, functions: library.functions, waiting: waiting)
        entries.withLock { entries in
            entries.append(entry)
            if isStopped { entry.stop() }
        }
    }

    func remove(_ handle: OpaquePointer) {
        let place = Int(bitPattern: handle)
        entries.withLock { entries in entries.removeAll { Int(bitPattern: $0.handle) == place } }
    }
}
