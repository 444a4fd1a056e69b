import DiskCuts
import RandomCases
import Testing

extension CutFilesTests {
    /// What a flush has reported is there after each cut, and what is read is what some publish has left.
    @Test(arguments: [false, true]) func aStoreIsWholeAfterEachCut(_ isWrittenByItself: Bool) throws {
        var tally = Cuts.Tally()
        for seed in RandomCases.seeds(4, from: isWrittenByItself ? 1000 : 0) {
            let cuts = try StoreCuts(seed: seed, steps: 60, isWrittenByItself: isWrittenByItself)
            try cuts.cut(cuts.trace, 40, seed: seed, &tally)
        }
        #expect(tally.flushes > 5)
        // A file that is written by itself has as many images as its thread had time for.
        #expect(tally.images.count > (isWrittenByItself ? 50 : 100))
    }

    @Test(arguments: Plant.allCases) func aStoreTellsOfAPlantedFault(_ plant: Plant) throws {
        var isFound = false
        for seed in 0..<20 where !isFound {
            let cuts = try StoreCuts(seed: seed, steps: 60)
            var tally = Cuts.Tally()
            do {
                try cuts.cut(plant.applied(to: cuts.trace), 200, seed: seed, &tally)
            } catch is Cuts.Failure {
                isFound = true
            }
        }
        #expect(isFound)
    }

    /// The store goes on in memory, and once calls succeed again, so does a flush.
    @Test(arguments: StoreFaults.Work.allCases) func whatFailsIsMadeUpFor(_ work: StoreFaults.Work) throws {
        var tally = StoreFaults.Tally()
        for seed in RandomCases.seeds(1) {
            try StoreFaults(seed: seed, steps: 20).run(work, share: 23, cuts: 2, &tally)
        }
        #expect(tally.failedCalls > 0)
        if work != .close, work != .read { #expect(tally.errors > 0) }
    }
}
