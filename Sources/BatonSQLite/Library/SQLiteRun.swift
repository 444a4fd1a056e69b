import BatonSQLiteLibrary

/// One run of a statement: what is bound, and the row that it stands at.
///
/// Places of parameters begin with 1 and columns with 0, as in SQLite. A run must not leave the closure that gets it.
/// It is copyable, because Swift 6.3.1 ends with an error of its own when it optimizes the lending of one that is not.
package struct SQLiteRun {
    private let statement: OpaquePointer
    private let connection: SQLiteConnection
    private let functions: UnsafePointer<BatonSQLiteLibrary>

    init(_ statement: OpaquePointer, _ connection: SQLiteConnection) {
        self.statement = statement
        self.connection = connection
        functions = connection.library.functions
    }

    // MARK: - Parameters

    package func bind(_ value: Int64, at place: Int) throws(SQLiteError) {
        try check(functions.pointee.bind_int64(opened(), index(place), value))
    }

    package func bind(double value: Double, at place: Int) throws(SQLiteError) {
        try check(functions.pointee.bind_double(opened(), index(place), value))
    }

    func bindNull(at place: Int) throws(SQLiteError) {
        try check(functions.pointee.bind_null(opened(), index(place)))
    }

    /// Binds a blob without a copy: the bytes must stay until the run has ended.
    func lend(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(SQLiteError) {
        try check(
            baton_sqlite_lend_blob(functions, opened(), index(place), bytes.baseAddress, bytes.count))
    }

    /// Binds a text in UTF-8 without a copy: the bytes must stay until the run has ended.
    func lendText(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(SQLiteError) {
        try check(
            baton_sqlite_lend_text(functions, opened(), index(place), bytes.baseAddress, bytes.count))
    }

    /// Binds a copy of a blob.
    package func bind(_ bytes: [UInt8], at place: Int) throws(SQLiteError) {
        let (statement, index) = (try opened(), index(place))
        let code = bytes.withUnsafeBytes { bytes in
            baton_sqlite_copy_blob(functions, statement, index, bytes.baseAddress, bytes.count)
        }
        try check(code)
    }

    /// Binds a copy of a text.
    package func bind(_ text: String, at place: Int) throws(SQLiteError) {
        let (statement, index) = (try opened(), index(place))
        var text = text
        let code = text.withUTF8 { bytes in
            baton_sqlite_copy_text(functions, statement, index, bytes.baseAddress, bytes.count)
        }
        try check(code)
    }

    // MARK: - Rows

    /// Goes to the next row; false at the end. What was borrowed of the row before is gone.
    package func step() throws(SQLiteError) -> Bool {
        let statement = try opened()
        connection.beginCall()
        let code = functions.pointee.step(statement)
        if Int(code) == BATON_SQLITE_ROW { return true }
        guard Int(code) == BATON_SQLITE_DONE else { throw connection.error(code) }
        return false
    }

    var columnCount: Int {
        guard connection.handle != nil else { return 0 }
        return Int(functions.pointee.column_count(statement))
    }

    /// The type of the value in a column; null for a column that does not exist.
    func type(_ column: Int) -> SQLiteType {
        guard connection.handle != nil else { return .null }
        return switch Int(functions.pointee.column_type(statement, index(column))) {
        case BATON_SQLITE_INTEGER: .integer
        case BATON_SQLITE_FLOAT: .double
        case BATON_SQLITE_TEXT: .text
        case BATON_SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The number in a column, or what SQLite makes of another type; 0 for null.
    package func integer(_ column: Int) -> Int64 {
        connection.handle == nil ? 0 : functions.pointee.column_int64(statement, index(column))
    }

    func double(_ column: Int) -> Double {
        connection.handle == nil ? 0 : functions.pointee.column_double(statement, index(column))
    }

    /// Lends the bytes of a blob or of a text as it is stored; none for null.
    ///
    /// - Throws: What `body` throws, or an error of the kind `outOfMemory`.
    func bytes<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        let statement = try opened()
        let start = functions.pointee.column_blob(statement, index(column))
        let count = Int(functions.pointee.column_bytes(statement, index(column)))
        guard start != nil || count == 0 else { throw connection.error(Int32(BATON_SQLITE_NOMEM)) }
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(count, 0)))
    }

    /// A copy of the bytes of a blob or of a text as it is stored; none for null.
    package func copy(_ column: Int) throws(SQLiteError) -> [UInt8] {
        try bytes(column) { bytes throws(SQLiteError) in Array(bytes) }
    }

    /// The text in a column; null for another type, and for a text that is not UTF-8.
    package func text(_ column: Int) -> String? {
        guard type(column) == .text, let start = functions.pointee.column_text(statement, index(column)) else {
            return nil
        }
        let count = Int(functions.pointee.column_bytes(statement, index(column)))
        return String(validating: UnsafeBufferPointer(start: start, count: max(count, 0)), as: UTF8.self)
    }

    /// The statement, unless the connection was closed, which has ended it.
    private func opened() throws(SQLiteError) -> OpaquePointer {
        guard connection.handle != nil else { throw .misuse("the connection is closed") }
        return statement
    }

    /// A place or a column as SQLite takes it; one that is out of bounds exists in no statement.
    private func index(_ number: Int) -> Int32 { Int32(exactly: number) ?? -1 }

    private func check(_ code: Int32) throws(SQLiteError) { try connection.check(code) }
}

/// The types that a value can have in a file of SQLite.
enum SQLiteType: Hashable, Sendable { case null, integer, double, text, blob }
