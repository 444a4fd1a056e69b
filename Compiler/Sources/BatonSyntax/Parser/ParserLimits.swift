/// What the parser refuses, so that no text can exhaust the stack or the memory.
package struct ParserLimits: Hashable, Sendable {
    /// How deep selection sets, lists and objects may be nested in each other.
    package var nesting: Int
    /// How many tokens a text may have. Each takes 120 to 200 bytes of memory, so that the default is good for about 50
    /// MB of text and 1.3 GB.
    package var tokens: Int
    /// How many mistakes are reported before the rest of a text is not read any more.
    package var mistakes: Int

    package init(nesting: Int = 200, tokens: Int = 10_000_000, mistakes: Int = 1_000) {
        self.nesting = nesting
        self.tokens = tokens
        self.mistakes = mistakes
    }
}
