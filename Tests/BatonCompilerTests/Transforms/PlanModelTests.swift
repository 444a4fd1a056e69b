import PlanModel
import Testing

/// Compiled plans have the meaning of the documents, for random documents. `.ci/checks/models` does a longer run.
@Suite struct PlanModelTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func plansAndTextsSelectTheSelectionsOfTheDocuments(_ part: UInt64) {
        var tally = PlanCampaign.Tally()
        for seed in (part * 100)..<(part * 100 + 100) where tally.failure == nil {
            PlanCampaign.run(seed: seed, into: &tally)
        }
        #expect(tally.failure == nil, "\(tally.failure?.description ?? "")")
        #expect(tally.operations > 100)
    }
}
