import RandomCases
import StoreModel
import Testing

/// Random splits of responses into parts; `store-model --about parts` runs more of them.
@Suite struct PartsModelTests {
    @Test func anySplitEndsInTheStoreOfTheWholeAnswer() {
        var tally = PartsModel.Tally()
        let seeds = RandomCases.seeds(14, from: 0 as UInt64)
        for seed in seeds where tally.failure == nil { PartsModel.run(seed: seed, into: &tally) }
        #expect(tally.failure == nil)
        #expect(tally.expected > 0)
        print("parts: seeds \(seeds), \(tally.splits) splits in \(tally.payloads) payloads")
    }
}
