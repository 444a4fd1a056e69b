import Foundation
import ProjectStorm
import RandomCases
import Testing

/// Random renames in projects with few names, after which the project sends the same. `project-storm --rename` makes
/// more of them.
struct RenameStormTests {
    @Test(arguments: RandomCases.seeds(1, from: 1 as UInt64))
    func anAcceptedRenameChangesNothingButTheName(seed: UInt64) throws {
        let folder =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
            + "/baton-rename-storm-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var tally = RenameStorm.Tally()
        var storm = RenameStorm(seed: seed, in: folder)
        try storm.run(projects: 15, into: &tally)
        #expect(tally.failure == nil, "seed \(seed): \(tally.failure ?? "")")
        #expect(tally.accepted > 50 && tally.refused > 25, "\(tally.description)")
    }
}
