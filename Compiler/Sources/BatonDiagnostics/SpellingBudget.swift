import Synchronization

/// How many names are looked at in one piece of work to guess what misspelled ones meant.
///
/// Thousands of mistakes among thousands of names would otherwise take minutes; who makes that many has one cause in
/// mind and needs no guess for each. When the budget is spent nothing more is suggested.
package final class SpellingBudget: Sendable {
    private let left: Mutex<Int>

    /// A million are about a tenth of a second: 3,000 names for each of 300 mistakes.
    package init(_ names: Int = 1_000_000) {
        left = Mutex(names)
    }

    package var isSpent: Bool { left.withLock { $0 <= 0 } }

    /// Takes names that were looked at off the budget, which may go below nothing.
    package func spend(_ names: Int) {
        left.withLock { $0 -= names }
    }
}

extension Spelling {
    /// The budget of the work at hand; none means no limit.
    @TaskLocal package static var budget: SpellingBudget?

    /// Does a piece of work with a budget of its own. Pieces must not depend on how many threads share the work, or
    /// what is suggested would.
    package static func withBudget<Result>(
        _ budget: SpellingBudget = SpellingBudget(),
        _ work: () throws -> Result
    ) rethrows -> Result {
        try $budget.withValue(budget, operation: work)
    }
}
