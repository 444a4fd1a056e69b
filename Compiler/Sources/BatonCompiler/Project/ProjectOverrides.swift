import BatonDiagnostics
import BatonSyntax

/// What is chosen for one run and wins over the configuration.
package struct ProjectOverrides: Hashable, Sendable {
    package var warnings = WarningLevels()
    /// The nesting that the parser follows.
    package var nesting: Int?
    /// The tokens that the parser reads of one text.
    package var tokens: Int?

    package init() {}

    /// The limits of a configuration, or the default ones, with those chosen here.
    func limits(over other: ParserLimits = ParserLimits()) -> ParserLimits {
        ParserLimits(nesting: nesting ?? other.nesting, tokens: tokens ?? other.tokens)
    }
}

extension ParserLimits {
    /// How deep anybody may let the parser go: its recursion, and that of every stage behind it, fits on the stack.
    package static let nestingChoices = 1...500
    package static let tokenChoices = 1...1_000_000_000
}
