import Foundation

/// The number of cases that random tests try.
///
/// Each random test names as many cases as are worth their time in every run; `.ci/checks/models` looks for rare
/// mistakes with other seeds each day. A long run multiplies the cases of all random tests:
///
///     BATON_TEST_TIMES=10 swift test --filter Model
///
/// The first cases are always the same, so a failure shows again with the same number of times.
package enum RandomCases {
    /// How many times as many cases as usual are tried: `BATON_TEST_TIMES`, and 1 without it.
    package static let times = max(1, number("BATON_TEST_TIMES") ?? 1)

    /// Returns the number of cases of this run.
    package static func count(_ usual: Int) -> Int { usual * times }

    /// Returns the seeds of this run, from 0.
    package static func seeds(_ usual: Int) -> Range<Int> { 0..<count(usual) }

    /// Returns the seeds of this run from `first`.
    package static func seeds<Seed: FixedWidthInteger>(_ usual: Int, from first: Seed) -> Range<Seed>
    where Seed.Stride: SignedInteger {
        first..<(first + Seed(count(usual)))
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
