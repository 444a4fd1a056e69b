import Baton
import BatonSQLite
import Foundation

/// Processes that open a file and end in one way or another.
package enum StoreDeaths {
    /// What a process does after it has opened the file.
    package enum End: String, CaseIterable, Sendable {
        /// It dies while it reads.
        case dies
        /// It ends by itself, with the file open.
        case exits
        case closes
        /// It writes, and is killed.
        case writes
        /// It lives for a time, and is killed.
        case survives
    }

    /// The record that a process reads, which ``fill(_:)`` writes.
    package static let record = DiskIdentity(Array("1".utf8))

    /// Writes the record as a process that ends well.
    package static func fill(_ path: String) throws {
        let disk = SQLiteDisk(path: path)
        _ = try disk.open()
        try put(into: disk)
        disk.close()
    }

    private static func put(into disk: SQLiteDisk) throws {
        try disk.write { (transaction) throws(PersistenceError) in try transaction.put([1], at: record) }
    }

    /// Opens the file, says whether it was put aside, and ends. Does not return, and may wait to be killed.
    package static func child(_ path: String, _ end: End) throws -> Never {
        var options = SQLiteDiskOptions(path: path)
        // Only where the process is to survive it does not wait for the time of an app.
        options.trial = end == .survives ? .zero : .seconds(60)
        let disk = SQLiteDisk(options)
        let opening = try disk.open()
        _ = try disk.read([record])
        func tell() {
            let line = "\(opening.replaced?.kind.description ?? "kept")\n"
            _ = line.withCString { write(1, $0, strlen($0)) }
        }
        switch end {
        case .dies: tell()
        case .exits:
            tell()
            // What holds the file does not end before the process.
            withExtendedLifetime(disk) { exit(0) }
        case .closes:
            disk.close()
            tell()
        case .writes:
            try put(into: disk)
            tell()
        case .survives:
            while try Data(contentsOf: URL(filePath: path + "-opened")).first ?? 0 > 1 { usleep(1000) }
            tell()
            while true { sleep(60) }
        }
        kill(getpid(), SIGKILL)
        exit(1)
    }

    /// Starts a process that ends so, and returns what it has said of the file.
    package static func run(_ program: URL, _ path: String, _ end: End) throws -> String {
        let child = Process()
        child.executableURL = program
        child.arguments = ["--death", end.rawValue, "--child", path]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let said = output.fileHandleForReading.availableData
        if end == .survives { kill(child.processIdentifier, SIGKILL) }
        child.waitUntilExit()
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
