import DiskCuts
import Foundation
import RandomCases
import Testing

@testable import BatonSQLite

/// Cuts of the power below plain tables: what SQLite promises holds, and each planted fault is found.
///
/// The layer below SQLite belongs to the process, so whatever uses it runs one after the other.
@Suite(.serialized, .needsSQLite) struct CutFilesTests {
    @Test func whatAFullCommitReportsIsThereAfterEachCut() throws {
        var tally = Cuts.Tally()
        for seed in RandomCases.seeds(6) {
            let history = try PlainHistory(seed: seed)
            try history.cut(history.trace, 100, seed: seed, &tally)
        }
        #expect(tally.flushes > 30)
        #expect(tally.images.count > 300)
    }

    /// Of each fault, some cut of the first histories tells.
    @Test(arguments: Plant.allCases) func aPlantedFaultIsFound(_ plant: Plant) throws {
        var isFound = false
        for seed in 0..<20 where !isFound {
            let history = try PlainHistory(seed: seed)
            var tally = Cuts.Tally()
            do {
                try history.cut(plant.applied(to: history.trace), 300, seed: seed, &tally)
            } catch is Cuts.Failure {
                isFound = true
            }
        }
        #expect(isFound)
    }
}

/// Transactions over two tables that must agree: a number of the last transaction, and rows that have it.
private struct PlainHistory {
    private let folder = Result { try TemporaryFolder() }
    private let path: String
    let trace: FileTrace
    /// The rows after each transaction.
    private let states: [[Int64: Int64]]

    init(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        path = try folder.get().path + "/plain.sqlite"
        try WatchedFiles.watch(path)
        defer { WatchedFiles.stop() }
        var states: [[Int64: Int64]] = [[:]]
        let library = try SQLiteLibrary.load()
        var connection = try SQLiteConnection(path, library: library)
        try connection.useLog(.normal)
        try connection.run(
            "CREATE TABLE IF NOT EXISTS last(number INTEGER); CREATE TABLE rows(key INTEGER PRIMARY KEY, number, text)")
        try connection.run("INSERT INTO last VALUES(0)")
        for number in 1..<40 {
            let isFull = generator.chance(25)
            try connection.setSynchronous(isFull ? .full : .normal)
            var rows = states[states.count - 1]
            try connection.run("BEGIN")
            for _ in 0..<(1 + generator.below(6)) {
                let key = Int64(generator.below(30))
                rows[key] = Int64(number)
                try connection.run(
                    "INSERT OR REPLACE INTO rows VALUES(\(key), \(number), hex(zeroblob(\(generator.below(3000)))))")
            }
            try connection.run("UPDATE last SET number = \(number)")
            try connection.run("COMMIT")
            states.append(rows)
            if isFull { WatchedFiles.mark(number) }
            if generator.chance(15) {
                try connection.run(
                    "PRAGMA wal_checkpoint(\(generator.pick(["PASSIVE", "FULL", "RESTART", "TRUNCATE"])))")
            }
            if generator.chance(8) {
                connection.close()
                connection = try SQLiteConnection(path, library: library)
                try connection.useLog(.normal)
            }
        }
        connection.close()
        self.states = states
        trace = FileTrace.taken()
    }

    func cut(_ trace: FileTrace, _ count: Int, seed: Int, _ tally: inout Cuts.Tally) throws {
        let states = states
        let cuts = Cuts(of: trace, at: path, in: try folder.get()) { path, mark in
            try Self.check(path, mark, states)
        }
        try cuts.run(count, seed: seed, &tally)
    }

    private static func check(_ path: String, _ mark: Int, _ states: [[Int64: Int64]]) throws {
        let connection = try SQLiteConnection(path, library: SQLiteLibrary.load())
        defer { connection.close() }
        let verdict = try connection.text("PRAGMA integrity_check")
        guard verdict == "ok" else { throw Cuts.Failure(verdict ?? "no verdict") }
        let isMade = try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'rows'") == 1
        let last = try isMade ? connection.integer("SELECT number FROM last") : nil
        if mark >= 0, try connection.text("PRAGMA journal_mode") != "wal" {
            throw Cuts.Failure("the file has no log")
        }
        var rows: [Int64: Int64] = [:]
        if isMade {
            try connection.prepare("SELECT key, number FROM rows").use { run throws(SQLiteError) in
                while try run.step() { rows[run.integer(0)] = run.integer(1) }
            }
        }
        let number = Int(last ?? 0)
        guard number >= mark else { throw Cuts.Failure("the last number is \(number)") }
        guard rows == states[number] else { throw Cuts.Failure("a mixture at number \(number)") }
    }
}
