import Foundation
import ProjectStorm
import RandomCases
import Testing

/// Random edits, each compared with a compiler that knows nothing. `project-storm` runs more of them.
struct ProjectStormTests {
    @Test(arguments: RandomCases.seeds(2, from: 1 as UInt64))
    func everyRoundIsThatOfACompilerThatKnowsNothing(seed: UInt64) throws {
        let folder = NSTemporaryDirectory() + "baton-storm-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var tally = ProjectStorm.Tally()
        var storm = try ProjectStorm(seed: seed, in: folder)
        try storm.run(edits: 60, into: &tally)
        #expect(tally.failure == nil, "seed \(seed): \(tally.failure ?? "")")
        #expect(tally.changes * 2 > tally.rounds, "\(tally.description)")
        #expect(tally.partial > 0, "\(tally.description)")
        #expect(tally.shared > 0, "\(tally.description)")
    }
}
