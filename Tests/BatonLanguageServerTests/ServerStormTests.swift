import Foundation
import ProjectStorm
import RandomCases
import Testing

/// Random edits, after each of which the editor shows what a compiler that knows nothing says. `project-storm --server`
/// runs more of them.
struct ServerStormTests {
    @Test(arguments: RandomCases.seeds(2, from: 1 as UInt64))
    func theEditorShowsWhatAValidationSays(seed: UInt64) throws {
        let folder =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
            + "/baton-server-storm-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var tally = ServerStorm.Tally()
        var storm = try ServerStorm(seed: seed, in: folder)
        try storm.run(edits: 60, into: &tally)
        #expect(tally.failure == nil, "seed \(seed): \(tally.failure ?? "")")
        #expect(tally.changes * 2 > tally.rounds, "\(tally.description)")
        #expect(tally.requests > 5 && tally.waited > 2, "\(tally.description)")
        #expect(tally.mistakes > 0 && tally.mistakes < tally.rounds, "\(tally.description)")
    }
}
