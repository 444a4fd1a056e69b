import BatonDiagnostics
import BatonSyntax

/// The choices for one run, which override the configuration.
package struct ProjectOverrides: Hashable, Sendable {
    package var warnings = WarningLevels()
    /// The limit on nesting.
    package var nesting: Int?
    /// The limit on the tokens of one text.
    package var tokens: Int?
    /// The folder for artifacts, beside which the file of persisted documents then stands. Nothing is written in the
    /// project.
    package var artifactFolder: AbsolutePath?

    package init() {}

    /// The limits of the configuration, or the default limits, with the overrides applied.
    func limits(over other: ParserLimits = ParserLimits()) -> ParserLimits {
        ParserLimits(nesting: nesting ?? other.nesting, tokens: tokens ?? other.tokens)
    }
}

extension ParserLimits {
    /// The possible limits on nesting. With the largest one, the recursion of every stage still fits on the stack.
    package static let nestingChoices = 1...500
    package static let tokenChoices = 1...1_000_000_000
}
