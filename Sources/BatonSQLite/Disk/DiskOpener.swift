import Baton
import Foundation

/// Opens a file for one process: makes its tables, begins a session, and puts a file aside that cannot be used.
///
/// The caller has the lock of the file.
struct DiskOpener {
    private let options: SQLiteDiskOptions
    private let library: SQLiteLibrary
    private let note: OpeningNote?
    private let stop: SQLiteStop
    /// What was wrong with the file that was there before.
    private var replaced: PersistenceError?

    init(_ options: SQLiteDiskOptions, _ note: OpeningNote?, _ stop: SQLiteStop) throws(PersistenceError) {
        self.options = options
        self.note = note
        self.stop = stop
        library = try reporting { () throws(SQLiteError) in try SQLiteLibrary.load(named: options.library) }
    }

    mutating func open() throws(PersistenceError) -> (writer: SQLiteWriter, opening: DiskOpening) {
        if !FileManager.default.fileExists(atPath: options.path) {
            note?.begin()
        } else if note?.isDeadly == true {
            try putAside(
                PersistenceError(
                    "the program has died \(OpeningNote.mostDeaths) times in a row soon after it had opened the file",
                    .crashLoop))
        }
        note?.count()
        do throws(PersistenceError) {
            return try openOnce()
        } catch {
            // Without its key a file looks like one of another program, and is the app's own.
            guard error.kind == .damaged || error.kind == .foreign && options.key == nil else { throw error }
            try putAside(error)
            return try openOnce()
        }
    }

    /// Names the file after what it is, so that a new one can begin and nothing is lost.
    private mutating func putAside(_ reason: PersistenceError) throws(PersistenceError) {
        let files = FileManager.default
        var number = 1
        while files.fileExists(atPath: "\(options.path).damaged-\(number)"), number < 100 { number += 1 }
        let aside = "\(options.path).damaged-\(number)"
        do {
            if files.fileExists(atPath: aside) { try files.removeItem(atPath: aside) }
            try files.moveItem(atPath: options.path, toPath: aside)
            for end in ["-wal", "-shm"] where files.fileExists(atPath: options.path + end) {
                if files.fileExists(atPath: aside + end) { try files.removeItem(atPath: aside + end) }
                try files.moveItem(atPath: options.path + end, toPath: aside + end)
            }
        } catch {
            throw PersistenceError("\(reason.message); and it cannot be put aside", reason.kind)
        }
        note?.begin()
        let name = aside.split(separator: "/").last.map(String.init) ?? aside
        replaced = PersistenceError("\(reason.message); it is now '\(name)', and a new file has begun", reason.kind)
    }

    private func openOnce() throws(PersistenceError) -> (writer: SQLiteWriter, opening: DiskOpening) {
        let connection = try reporting { () throws(SQLiteError) in
            let connection = try SQLiteConnection(
                options.path, .init(wait: options.wait, key: options.key, stop: stop), library: library)
            try connection.useLog(.normal)
            try connection.run("PRAGMA secure_delete = ON")
            return connection
        }
        try makeTables(connection)
        let writer = try reporting { () throws(SQLiteError) in
            try SQLiteWriter(DiskTables(connection), longLog: options.longLog, now: options.now)
        }
        let opening = try writer.transaction { () throws(PersistenceError) in
            try reporting { () throws(SQLiteError) in try begin(writer) }
        }
        // If a reader keeps the log, the next sync does it.
        if writer.hasRemoved { try? writer.moveLog() }
        return (writer, opening)
    }

    /// Makes the tables of a new file. A file of a newer format is left as it is.
    private func makeTables(_ connection: SQLiteConnection) throws(PersistenceError) {
        let (application, format, tables) = try reporting { () throws(SQLiteError) in
            (
                try connection.integer("PRAGMA application_id") ?? 0,
                try connection.integer("PRAGMA user_version") ?? 0,
                try connection.integer("SELECT count(*) FROM sqlite_master") ?? 0
            )
        }
        if application == DiskTables.application {
            guard format <= DiskTables.format else {
                throw PersistenceError(
                    "the file has the format \(format), and this version of Baton knows those up to "
                        + "\(DiskTables.format)", .newerFormat)
            }
            guard format > 0, tables > 0 else { throw PersistenceError("the file has no tables", .damaged) }
            if format < DiskTables.format { try migrate(connection, from: format) }
            return
        }
        guard application == 0, format == 0, tables == 0 else {
            throw PersistenceError("the file is one of another program", .foreign)
        }
        try run([DiskTables.schema], on: connection)
    }

    /// Makes a file of an older format one of this format.
    private func migrate(_ connection: SQLiteConnection, from format: Int64) throws(PersistenceError) {
        let steps = (format..<DiskTables.format).map { DiskTables.migration(from: $0, at: options.now()) }
        try run(steps + ["PRAGMA user_version = \(DiskTables.format)"], on: connection)
    }

    /// Runs statements in one transaction.
    private func run(_ texts: [String], on connection: SQLiteConnection) throws(PersistenceError) {
        try reporting { () throws(SQLiteError) in
            try connection.run("BEGIN IMMEDIATE")
            do throws(SQLiteError) {
                for text in texts { try connection.run(text) }
                try connection.run("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.run("ROLLBACK") }
                throw error
            }
        }
    }

    /// Begins a session, and empties a file of another account or generation.
    private func begin(_ writer: SQLiteWriter) throws(SQLiteError) -> DiskOpening {
        let tables = writer.tables
        let session = (try tables.number(for: "session") ?? 0) + 1
        if session > 1 {
            let (account, generation) = (try tables.text(for: "account"), try tables.text(for: "generation"))
            if account != options.account || generation != options.wholeGeneration {
                try writer.removeAll()
                note?.begin()
            }
        }
        try writer.setOwner(account: options.account, generation: options.wholeGeneration)
        try writer.set("session", session)
        var notes: [DiskNote: [UInt8]] = [:]
        for note in DiskNote.allCases { notes[note] = try tables.note(note.rawValue) }
        guard let number = UInt32(exactly: session) else { throw .misuse("the file was opened too often") }
        return DiskOpening(session: number, notes: notes, now: Self.now, replaced: replaced)
    }

    /// Milliseconds since 1970.
    static var now: Int { Int(Date().timeIntervalSince1970 * 1000) }
}
