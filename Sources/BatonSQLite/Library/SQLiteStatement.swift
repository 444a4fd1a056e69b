import BatonSQLiteLibrary

/// A prepared statement of a connection, which it keeps open.
///
/// It runs inside ``use(_:)`` alone. Whatever happens there, the statement is reset afterwards: it holds no lock of the
/// file and no bytes of the caller's.
package final class SQLiteStatement {
    private let prepared: Handle
    private let connection: SQLiteConnection

    init(_ handle: OpaquePointer, _ connection: SQLiteConnection) {
        prepared = Handle(handle)
        self.connection = connection
    }

    deinit {
        // A connection that is closed has ended its statements.
        if connection.handle != nil { _ = connection.library.functions.pointee.finalize(prepared.pointer) }
    }

    /// Lends the statement for one run. A statement that runs cannot be run again inside of that.
    package func use<Result>(
        _ body: (SQLiteRun) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        try prepared.use(connection, body)
    }

    /// Runs a statement that takes nothing and returns nothing of interest.
    package func run() throws(SQLiteError) { try use { run throws(SQLiteError) in while try run.step() {} } }

    /// The pointer of a statement, and whether it runs.
    final class Handle {
        let pointer: OpaquePointer
        private var isRunning = false

        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        func use<Result>(
            _ connection: SQLiteConnection, _ body: (SQLiteRun) throws(SQLiteError) -> Result
        ) throws(SQLiteError) -> Result {
            _ = try connection.opened()
            guard !isRunning else { throw .misuse("a statement runs already") }
            isRunning = true
            defer {
                isRunning = false
                // The body may have closed the connection, and the statement with it.
                if connection.handle != nil {
                    _ = connection.library.functions.pointee.reset(pointer)
                    _ = connection.library.functions.pointee.clear_bindings(pointer)
                }
            }
            return try body(SQLiteRun(pointer, connection))
        }
    }
}
