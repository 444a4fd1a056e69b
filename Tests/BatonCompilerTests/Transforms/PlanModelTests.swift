import PlanModel
import RandomCases
import Testing

/// Compiled plans have the meaning of the documents, for random documents. `.ci/checks/models` does a longer run.
@Suite struct PlanModelTests {
    @Test(arguments: RandomCases.seeds(2, from: 0 as UInt64))
    func plansAndTextsSelectTheSelectionsOfTheDocuments(_ part: UInt64) {
        var tally = PlanCampaign.Tally()
        for seed in (part * 80)..<(part * 80 + 80) where tally.failure == nil {
            PlanCampaign.run(seed: seed, into: &tally)
        }
        #expect(tally.failure == nil, "\(tally.failure?.description ?? "")")
        #expect(tally.operations > 100)
    }
}
