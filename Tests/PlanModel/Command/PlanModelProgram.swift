import Dispatch
import Foundation
import PlanModel
import Synchronization

/// Compiles random documents and compares their texts and plans with a naive interpretation of the documents. Ends
/// after the given number of operations or seconds, or at the first difference.
///
/// `plan-model [--operations N] [--seconds N] [--seed N] [--threads N]`; without a number, 10,000 operations.
@main struct PlanModelProgram {
    static func main() {
        var operations: Int?
        var seconds: Int?
        var seed: UInt64 = 1
        var threads = 2
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let text = rest.popFirst(), let number = UInt64(text), number < UInt64(Int.max) else {
                fail("'\(name)' wants a number")
            }
            switch name {
            case "--operations": operations = Int(number)
            case "--seconds": seconds = Int(min(number, 1_000_000))
            case "--seed": seed = number
            case "--threads": threads = max(Int(number), 1)
            default: fail("there is no option '\(name)'")
            }
        }
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        exit(campaign(operations: operations ?? (end == nil ? 10_000 : .max), until: end, seed: seed, threads: threads))
    }

    private static func fail(_ message: String) -> Never {
        print("plan-model: \(message)")
        exit(2)
    }

    /// Runs a campaign. Campaigns with different seeds use different documents.
    private static func campaign(
        operations: Int, until end: ContinuousClock.Instant?, seed: UInt64, threads: Int
    ) -> Int32 {
        let total = Mutex(PlanCampaign.Tally())
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var next = (seed << 32) &+ UInt64(thread)
            while total.withLock({ $0.operations < operations && $0.failure == nil }), end.map({ .now < $0 }) ?? true {
                var tally = PlanCampaign.Tally()
                PlanCampaign.run(seed: next, into: &tally)
                total.withLock { total in
                    total.operations += tally.operations
                    total.documents += tally.documents
                    total.invalid += tally.invalid
                    total.failure = total.failure ?? tally.failure
                }
                next &+= UInt64(threads)
            }
        }
        let (seconds, _) = start.duration(to: .now).components
        let tally = total.withLock { $0 }
        print(
            "\(tally.operations) operations in \(tally.documents) documents compared in \(seconds) s; "
                + "\(tally.invalid) documents were invalid")
        guard let failure = tally.failure else { return 0 }
        print("FAILED with \(failure)")
        return 1
    }
}
