import Baton
import BatonTesting

/// The rules that hold now, and how often each has been met.
///
/// State: the rules and their counts, guarded by a lock of their own, a leaf.
final class ConductRules: Sendable {
    private struct State {
        var rules: [ConductRule] = []
        /// The number of operations that each rule was about.
        var counts: [Int] = []
    }

    private let state = Guarded(State())

    /// The number of rules.
    var count: Int { state.withLock(\.rules.count) }

    /// Puts rules in the place of those before, and counts from the beginning.
    func replace(with rules: [ConductRule]) {
        state.withLock { $0 = State(rules: rules, counts: Array(repeating: 0, count: rules.count)) }
    }

    /// What goes wrong with an operation: what its request says, and for the rest the first rule that says it.
    ///
    /// Each call counts as one operation.
    func complete(_ conduct: Conduct, for call: GraphQLCall, _ operation: World.ServedOperation?) -> Conduct {
        state.withLock { state in
            var conduct = conduct
            for (index, rule) in state.rules.enumerated() where rule.fits(call, operation) {
                state.counts[index] += 1
                let count = state.counts[index]
                guard count % rule.every == 0, count / rule.every <= rule.times ?? .max else { continue }
                conduct = conduct.completed(by: rule.conduct)
            }
            return conduct
        }
    }
}
