import BatonCommand
import BatonProject
import Foundation
import ProjectStorm
import RandomCases
import Testing

/// Random edits of a project that `baton compile --watch` watches. `project-storm --watch` runs more of them, with
/// processes.
struct WatchStormTests {
    @Test(arguments: RandomCases.seeds(2, from: 1 as UInt64))
    func theWatchLeavesWhatAnIndependentRunWrites(seed: UInt64) throws {
        let folder =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
            + "/baton-storm-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (output, stop) = (WatchOutput(), try #require(WakePipe()))
        var storm = try WatchStorm(seed: seed, in: folder, output: output) { folder in
            let outcome = CommandLineTool.run(["compile", "--format", "json"], in: folder)
            return (outcome.output, outcome.status != .success)
        }
        let console = WatchConsole(stop: stop) { output.append(output: $0, errors: $1) }
        let thread = Thread {
            _ = CommandLineTool.run(
                ["compile", "--watch", "--format", "json"], in: folder + "/tree", console: console)
            output.end()
        }
        thread.stackSize = 1 << 23
        thread.start()
        var tally = WatchStorm.Tally()
        try storm.run(edits: 60, into: &tally)
        stop.wake()
        #expect(output.waitForEnd(seconds: 60))
        #expect(tally.failure == nil, "seed \(seed): \(tally.failure ?? "")")
        #expect(tally.changes * 2 > tally.rounds, "\(tally.description)")
    }
}
