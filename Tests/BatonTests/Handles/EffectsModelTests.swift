import Foundation
import RandomCases
import Testing

@testable import Baton

/// Random scripts over handles of all kinds in one environment.
///
/// A failure says the seed and the shortest script that was found for it. `EFFECTS_SEED=7` runs this seed alone.
@Suite(.timeLimit(.minutes(20))) struct EffectsModelTests {
    private static let steps = 60
    private static var seeds: [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["EFFECTS_SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(RandomCases.seeds(14, from: 1))
    }

    @Test(arguments: seeds) func everythingFitsTogetherAfterEachStep(_ seed: UInt64) async {
        guard var failure = await EffectsModel.run(seed: seed, steps: Self.steps) else { return }
        // Leaves out each step without which something still goes wrong.
        let count = min(failure.step + 1, Self.steps)
        var skipped: Set<Int> = []
        for step in (0..<count).reversed() {
            if let shorter = await EffectsModel.run(seed: seed, steps: count, without: skipped.union([step])) {
                skipped.insert(step)
                failure = shorter
            }
        }
        Issue.record("seed \(seed): \(failure.complaints)\n\(failure.script.joined(separator: "\n"))")
    }
}
