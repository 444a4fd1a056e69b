import Synchronization

/// Limits the number of names that are compared in one piece of work to find the meaning of misspelled names.
///
/// Thousands of mistakes among thousands of names would take minutes. Such mistakes have a common cause, so that a
/// suggestion for each mistake does not help. After the budget is spent, no suggestions are made.
package final class SpellingBudget: Sendable {
    private let left: Mutex<Int>

    /// Makes a budget. A million comparisons take about a tenth of a second: 3,000 names for each of 300 mistakes.
    package init(_ names: Int = 1_000_000) {
        left = Mutex(names)
    }

    package var isSpent: Bool { left.withLock { $0 <= 0 } }

    /// Subtracts compared names from the budget; the rest may become negative.
    package func spend(_ names: Int) {
        left.withLock { $0 -= names }
    }
}

extension Spelling {
    /// The budget of the current work; nil means no limit.
    @TaskLocal package static var budget: SpellingBudget?

    /// Runs a piece of work with a budget of its own. The division into pieces must not depend on the number of
    /// threads, because the suggestions would depend on it too.
    package static func withBudget<Result>(
        _ budget: SpellingBudget = SpellingBudget(),
        _ work: () throws -> Result
    ) rethrows -> Result {
        try $budget.withValue(budget, operation: work)
    }
}
