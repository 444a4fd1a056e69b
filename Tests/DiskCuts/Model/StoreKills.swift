import Baton
import Foundation
import RandomCases
import StoreModel

/// Processes that are killed while they publish and flush.
///
/// Parent and child perform the same history, the parent over a file in memory. So it knows all states that the child
/// has published when it looks at the child's file.
package enum StoreKills {
    package struct Tally: Sendable {
        package var kills = 0
        /// The processes that had reported a flush before they were killed.
        package var withFlushes = 0
        package var flushes = 0
        /// The processes that came to the end of their history first.
        package var ended = 0

        package init() {}

        package var description: String {
            "\(kills) processes killed, \(withFlushes) of them after a flush, \(flushes) flushes in all; "
                + "\(ended) had ended before"
        }
    }

    private static let steps = 300

    /// Performs the history of a seed and prints the position of each state that is durable. Does not return.
    package static func child(_ path: String, seed: Int) throws -> Never {
        let run = try StoreRun(
            over: CutDisk(path, isWrittenByItself: true, longLog: CutDisk.longLogs[seed % CutDisk.longLogs.count]),
            seed: UInt64(seed), isWrittenByItself: true)
        try run.perform(steps) { position in
            let line = "flushed \(position) \(run.history.states[position].digest)\n"
            _ = line.withCString { write(1, $0, strlen($0)) }
        }
        exit(0)
    }

    /// Starts a child, kills it at a random time, and looks at its file.
    package static func run(_ program: String, seed: Int, _ tally: inout Tally) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        let child = Process()
        child.executableURL = URL(filePath: program)
        child.arguments = ["--child", path, "--seed", "\(seed)"]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        // Some are killed while they open the file, most after a number of flushes.
        let reader = output.fileHandleForReading
        var text: [UInt8] = []
        let wanted = generator.chance(20) ? 0 : generator.below(20)
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < wanted {
            let more = reader.availableData
            if more.isEmpty { break }
            text += more
        }
        usleep(UInt32(generator.below(generator.pick([2_000, 30_000]))))
        let hasEnded = !child.isRunning
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        text += reader.readDataToEndOfFile()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("flushed ") }
        if hasEnded, child.terminationStatus != 0 { throw Cuts.Failure("the process ended by itself: \(lines)") }
        let reported = lines.map { $0.split(separator: " ").dropFirst().compactMap { UInt64($0) } }
        let last = reported.last?.first.map { Int($0) }
        let run = try StoreRun(over: MemoryDisk(), seed: UInt64(seed), isWrittenByItself: true)
        try run.perform(steps)
        for line in reported where line.count == 2 && run.history.states[Int(line[0])].digest != line[1] {
            throw Cuts.Failure("the histories of parent and child differ at \(line[0])")
        }
        tally.kills += hasEnded ? 0 : 1
        tally.ended += hasEnded ? 1 : 0
        tally.flushes += lines.count
        if last != nil { tally.withFlushes += 1 }
        try StoredFile(path).check(run.history, since: last ?? 0, isReported: last != nil, written: nil)
    }
}
