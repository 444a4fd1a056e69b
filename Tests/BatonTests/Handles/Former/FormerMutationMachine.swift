@testable import Baton

/// The decisions of a mutation handle: what is in flight, and whose outcome is shown.
///
/// The machine is a value without locks, tasks or data. Commits have ascending numbers.
struct FormerMutationMachine: Equatable {
    /// What a handle shows.
    enum Shown: Equatable {
        /// Nothing was committed yet, or everything that was committed is in flight.
        case nothing
        /// The outcome of the commit with this number.
        case outcome(Int)
    }

    private(set) var inFlight: Set<Int> = []
    private(set) var shown = Shown.nothing
    private var last = 0

    var isInFlight: Bool { !inFlight.isEmpty }

    /// Begins a commit and returns its number.
    mutating func begin() -> Int {
        last += 1
        inFlight.insert(last)
        return last
    }

    /// Shows nothing until another commit ends, because the store was emptied.
    mutating func forgetOutcome() { shown = .nothing }

    /// Ends a commit whose outcome is never shown.
    mutating func forget(_ number: Int) { inFlight.remove(number) }

    /// Ends a commit; returns true if its outcome is shown from now on. The commit that began last counts.
    mutating func end(_ number: Int) -> Bool {
        guard inFlight.remove(number) != nil else { return false }
        if case .outcome(let other) = shown, other > number { return false }
        shown = .outcome(number)
        return true
    }
}
