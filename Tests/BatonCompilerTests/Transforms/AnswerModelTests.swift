import AnswerModel
import RandomCases
import Testing

/// Readers show the data that random documents mean. `.ci/checks/models` does a longer run.
@Suite struct AnswerModelTests {
    @Test(arguments: RandomCases.seeds(1, from: 0 as UInt64))
    func readersShowTheDataThatDocumentsMean(_ part: UInt64) {
        var tally = AnswerCampaign.Tally()
        for seed in (part * 120)..<(part * 120 + 120) where tally.failure == nil {
            AnswerCampaign.run(seed: seed, LocalAnswerServer(), into: &tally)
        }
        #expect(tally.failure == nil, "\(tally.failure?.description ?? "")")
        #expect(tally.operations > 100 && tally.fields > 500 && tally.errors > 5)
    }
}
