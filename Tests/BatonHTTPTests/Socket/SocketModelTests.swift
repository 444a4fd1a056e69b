import RandomCases
import Testing

@testable import BatonHTTP

@Suite("SocketMachine under random schedules")
struct SocketModelTests {
    @Test("under any schedule, each operation ends once and nothing is left")
    func eachOperationEndsOnceUnderAnySchedule() {
        var counts: [String: Int] = [:]
        for seed in RandomCases.seeds(250, from: 0 as UInt64) {
            var model = SocketModel(seed: seed)
            for _ in 0..<250 where model.violations.isEmpty { model.step() }
            if model.violations.isEmpty { model.finish() }
            #expect(model.violations.isEmpty, "seed \(seed): \(model.violations.joined(separator: "\n"))")
            if !model.violations.isEmpty { break }
            counts.merge(model.counts, uniquingKeysWith: +)
        }
        // Each kind of event must occur, or the expectation above would be empty.
        let kinds = [
            "acknowledgement", "backoff", "complete", "connection", "delivery", "lingering", "ping", "pong",
            "sent again", "settling", "silence", "slow consumer", "the mutation",
        ]
        for kind in kinds { #expect(counts[kind, default: 0] > 10, "\(kind): \(counts)") }
    }
}
