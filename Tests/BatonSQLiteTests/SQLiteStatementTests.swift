import Testing

@testable import BatonSQLite

@Suite("Statements of SQLite", .needsSQLite) struct SQLiteStatementTests {
    private let file: SQLiteFile

    init() throws { file = try SQLiteFile() }

    @Test func everyTypeOfColumnComesBack() throws {
        let connection = try file.open()
        try connection.run("CREATE TABLE everything(number, fraction, text, blob, missing)")
        let blob: [UInt8] = [0, 255, 1, 0]
        let insert = try connection.prepare("INSERT INTO everything VALUES(?1, ?2, ?3, ?4, ?5)")
        try blob.withUnsafeBytes { bytes in
            try insert.use { run throws(SQLiteError) in
                try run.bind(Int64.min, at: 1)
                try run.bind(double: 0.1, at: 2)
                try run.bind("caf\u{E9}\0\u{1F600}", at: 3)
                try run.lend(bytes, at: 4)
                try run.bindNull(at: 5)
                #expect(try run.step() == false)
            }
        }
        let select = try connection.prepare("SELECT number, fraction, text, blob, missing FROM everything")
        try select.use { run throws(SQLiteError) in
            #expect(try run.step())
            #expect(run.columnCount == 5)
            #expect((0..<6).map { run.type($0) } == [.integer, .double, .text, .blob, .null, .null])
            #expect(run.integer(0) == .min)
            #expect(run.double(1) == 0.1)
            #expect(run.text(2) == "caf\u{E9}\0\u{1F600}")
            try run.bytes(3) { bytes in #expect(Array(bytes) == blob) }
            try run.bytes(4) { bytes in #expect(bytes.isEmpty) }
            #expect(run.text(3) == nil)
            #expect(try run.step() == false)
        }
    }

    @Test func noBytesAreABlobAndATextAndNotNull() throws {
        let connection = try file.open()
        let select = try connection.prepare("SELECT ?1, ?2, ?3")
        try select.use { run throws(SQLiteError) in
            try run.lend(UnsafeRawBufferPointer(start: nil, count: 0), at: 1)
            try run.lendText(UnsafeRawBufferPointer(start: nil, count: 0), at: 2)
            try run.bind("", at: 3)
            #expect(try run.step())
            #expect((0..<3).map { run.type($0) } == [.blob, .text, .text])
        }
    }

    @Test func aTextThatIsLentIsRead() throws {
        let connection = try file.open()
        let select = try connection.prepare("SELECT ?1 || '!'")
        try Array("hello".utf8).withUnsafeBytes { bytes in
            try select.use { run throws(SQLiteError) in
                try run.lendText(bytes, at: 1)
                #expect(try run.step())
                #expect(run.text(0) == "hello!")
            }
        }
    }

    @Test func aTextThatIsNotUTF8IsNoText() throws {
        let connection = try file.open()
        let select = try connection.prepare("SELECT CAST(x'FF41' AS TEXT)")
        try select.use { run throws(SQLiteError) in
            #expect(try run.step())
            #expect(run.type(0) == .text)
            #expect(run.text(0) == nil)
            try run.bytes(0) { bytes in #expect(Array(bytes) == [0xFF, 0x41]) }
        }
    }

    @Test func nothingStaysBoundAfterARun() throws {
        let connection = try file.open()
        let select = try connection.prepare("SELECT ?1")
        try select.use { run throws(SQLiteError) in
            try run.bind(7, at: 1)
            #expect(try run.step())
        }
        try select.use { run throws(SQLiteError) in
            #expect(try run.step())
            #expect(run.type(0) == .null)
        }
    }

    @Test func aStatementRunsAgainAfterAnError() throws {
        let connection = try file.openWithRows()
        try connection.run("INSERT INTO rows VALUES(1, 'one')")
        let insert = try connection.prepare("INSERT INTO rows VALUES(?1, ?2)")
        func add(_ key: Int64) throws(SQLiteError) {
            try insert.use { run throws(SQLiteError) in
                try run.bind(key, at: 1)
                try run.bind("a text", at: 2)
                _ = try run.step()
            }
        }
        let error = try #require(throws: SQLiteError.self) { try add(1) }
        #expect(error.kind == .constraint)
        // SQLITE_CONSTRAINT_PRIMARYKEY
        #expect(error.extendedCode == 1555)
        #expect(error.message == "UNIQUE constraint failed: rows.key")
        try add(2)
        #expect(try connection.integer("SELECT count(*) FROM rows") == 2)
    }

    @Test func aReaderThatStopsInTheMiddleHoldsNoLock() throws {
        let connection = try file.openWithRows(100)
        struct Stop: Error {}
        let select = try connection.prepare("SELECT key FROM rows")
        #expect(throws: SQLiteError.misuse("stop")) {
            try select.use { run throws(SQLiteError) in
                while try run.step() { if run.integer(0) == 50 { throw .misuse("stop") } }
            }
        }
        // A checkpoint that empties the log waits for readers, and says whether it could not.
        #expect(try file.open().integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    }

    @Test func aPlaceThatDoesNotExistIsAnError() throws {
        let connection = try file.open()
        let select = try connection.prepare("SELECT ?1")
        for place in [0, 2, -1, Int.max, Int.min] {
            #expect(failure { try select.use { run throws(SQLiteError) in try run.bind(1, at: place) } } == .misuse)
        }
        try select.use { run throws(SQLiteError) in
            #expect(try run.step())
            for column in [1, -1, Int.max] {
                #expect(run.type(column) == .null)
                #expect(run.text(column) == nil)
                try run.bytes(column) { bytes in #expect(bytes.isEmpty) }
            }
        }
    }

    @Test func aStatementThatRunsIsNotRunAgain() throws {
        let connection = try file.open()
        let select = try connection.prepare("SELECT 1")
        try select.use { run throws(SQLiteError) in
            #expect(try run.step())
            #expect(failure { try select.run() } == .misuse)
            #expect(run.integer(0) == 1)
        }
    }

    @Test(arguments: ["SELEC 1", "SELECT * FROM nowhere", "", "-- only a comment", "\0"])
    func wrongSQLIsAnError(_ text: String) throws {
        let connection = try file.open()
        let kind = failure { _ = try connection.prepare(text) }
        #expect(kind == .failed || kind == .misuse)
    }

    @Test func severalStatementsRunInOrder() throws {
        let connection = try file.open()
        try connection.run("CREATE TABLE a(b); -- a comment\n INSERT INTO a VALUES(1), (2);\n\n; SELECT * FROM a; ")
        #expect(try connection.integer("SELECT sum(b) FROM a") == 3)
        #expect(failure { try connection.run("INSERT INTO a VALUES(3); SELECT * FROM nowhere") } == .failed)
        #expect(try connection.integer("SELECT sum(b) FROM a") == 6)
    }
}
