/// The limits of the parser, so that no text can exhaust the stack or the memory.
package struct ParserLimits: Hashable, Sendable {
    /// The deepest nesting of selection sets, lists and objects.
    package var nesting: Int
    /// The largest number of tokens in a text. A token takes 120 to 200 bytes of memory, so that the default allows
    /// about 50 MB of text and 1.3 GB of memory.
    package var tokens: Int
    /// The number of mistakes after which the rest of a text is skipped.
    package var mistakes: Int

    package init(nesting: Int = 200, tokens: Int = 10_000_000, mistakes: Int = 1_000) {
        self.nesting = nesting
        self.tokens = tokens
        self.mistakes = mistakes
    }
}
