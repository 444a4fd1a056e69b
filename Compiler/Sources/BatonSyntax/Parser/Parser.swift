import BatonDiagnostics

/// A recursive descent parser for the whole language, executable and type-system documents alike.
///
/// Every function reads one production, which its comment quotes. The parser reports a mistake and goes on with the
/// next argument, field or definition, so that two mistakes are two diagnostics. A function throws only after it has
/// reported the mistake.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Language
package struct Parser: Sendable {
    var lexer: Lexer
    /// The next token to be parsed.
    var token: Token
    /// The end of the last token that was taken.
    var previousEnd: UInt32
    let limits: ParserLimits
    private var depth = 0
    private var tokenCount = 0
    /// The number of mistakes that the lexer reported while it scanned the current token.
    private var reportsAhead = 0
    /// The position of the last error; a second error at the same position is not reported.
    private var lastErrorStart: UInt32?

    /// Whether an unterminated string may have swallowed tokens. Then errors before the next definition follow from
    /// that string.
    var isExcused = false

    /// Whether this definition has a misplaced bracket, so that the brackets around it may not match either.
    var hasStrayBracket = false
    /// Whether a definition may have been parsed as part of another definition that lacks a brace.
    var mayHaveSwallowed = false
    /// The kind of the last token that was taken.
    private(set) var previousKind = Token.Kind.endOfFile
    /// The number of tokens before the last syntax error in this definition; nil if it has none.
    private var lastReportCount: Int?

    /// Whether an unmatched closing brace was skipped.
    var hasStrayBrace = false

    /// The error of a production that could not be parsed. Its diagnostic has been reported.
    struct Failure: Error {}

    private init(source: SourceFile, range: Range<Int>?, limits: ParserLimits, isWholeDocument: Bool) {
        lexer = Lexer(source: source, range: range)
        lexer.mistakeLimit = limits.mistakes
        if isWholeDocument { lexer.refuseForeignText() }
        self.limits = limits
        previousEnd = UInt32(truncatingIfNeeded: lexer.position)
        token = lexer.next()
    }

    /// Parses a text, or a range of bytes in it, as a document.
    ///
    /// Positions in the tree and in diagnostics are offsets in the whole text. A definition with a mistake keeps the
    /// parts that could be parsed and is marked as broken. Diagnostics are sorted by position.
    package static func parseDocument(
        _ source: SourceFile,
        range: Range<Int>? = nil,
        limits: ParserLimits = ParserLimits(),
        mayBeEmpty: Bool = false
    ) -> (document: Document, diagnostics: [Diagnostic]) {
        var parser = Parser(source: source, range: range, limits: limits, isWholeDocument: true)
        let document = parser.document(mayBeEmpty: mayBeEmpty)
        return (document, parser.lexer.diagnostics.sortedByPosition())
    }

    /// Parses a type in a string, as in `@argumentDefinitions(count: {type: "Int!"})`; nil if it is not a type.
    package static func parseType(_ text: String) -> TypeNode? {
        let source = SourceFile(id: .predeclared, path: "", bytes: Array(text.utf8))
        var parser = Parser(source: source, range: nil, limits: ParserLimits(), isWholeDocument: false)
        guard let type = try? parser.type(), parser.token.kind == .endOfFile else { return nil }
        return parser.lexer.diagnostics.isEmpty ? type : nil
    }

    /// Parses directives in a string, as in `@refetchable(directives: ["@cost(limit: 3)"])`; nil if the string holds
    /// any other text.
    package static func parseDirectives(_ text: String) -> [Directive]? {
        let source = SourceFile(id: .predeclared, path: "", bytes: Array(text.utf8))
        var parser = Parser(source: source, range: nil, limits: ParserLimits(), isWholeDocument: false)
        guard let directives = try? parser.directives(isConstant: true), parser.token.kind == .endOfFile else {
            return nil
        }
        return parser.lexer.diagnostics.isEmpty ? directives : nil
    }

    /// Parses a constant in a string, such as a default value in an introspection answer; nil if the string is not a
    /// constant. Positions are offsets in the text.
    package static func parseConstant(_ text: String, in source: SourceID) -> Value? {
        let source = SourceFile(id: source, path: "", bytes: Array(text.utf8))
        var parser = Parser(source: source, range: nil, limits: ParserLimits(), isWholeDocument: false)
        guard let value = try? parser.value(isConstant: true), parser.token.kind == .endOfFile else { return nil }
        return parser.lexer.diagnostics.isEmpty ? value : nil
    }

    // MARK: - Tokens

    /// Takes the current token and scans the next one.
    mutating func advance() {
        if token.end == lexer.unterminatedEnd { isExcused = true }
        previousKind = token.kind
        previousEnd = token.end
        tokenCount += 1
        if tokenCount > limits.tokens, token.kind != .endOfFile {
            lexer.report(
                Diagnostic(
                    .tokenLimit,
                    "the document has more than \(limits.tokens) tokens",
                    at: lexer.span(of: token)
                )
            )
            lexer.stop()
        }
        let before = reportCount
        token = lexer.next()
        reportsAhead = reportCount - before
    }

    /// The token after the current one. Each call copies the lexer, so that it is only for errors and rare choices.
    var following: Token {
        var copy = lexer
        return copy.next()
    }

    /// Takes the current token if it is of this kind; returns whether it did.
    mutating func take(_ kind: Token.Kind) -> Bool {
        guard token.kind == kind else { return false }
        advance()
        return true
    }

    mutating func expect(_ kind: Token.Kind) throws(Failure) {
        if take(kind) { return }
        throw fail("expected '\(kind.text ?? "")'")
    }

    /// Whether the current token is this word.
    func isWord(_ word: String) -> Bool {
        token.kind == .name && Int(token.end - token.start) == word.utf8.count && lexer.text(of: token) == word
    }

    mutating func takeWord(_ word: String) -> Bool {
        guard isWord(word) else { return false }
        advance()
        return true
    }

    ///     Name :: NameStart NameContinue*
    mutating func name(_ role: String = "a name") throws(Failure) -> Name {
        guard token.kind == .name else { throw fail("expected \(role)") }
        let name = Name(lexer.text(of: token), span: lexer.span(of: token))
        advance()
        return name
    }

    var start: UInt32 { token.start }

    /// The span from an offset to the end of the last token that was taken.
    func span(from start: UInt32) -> Span {
        Span(source: lexer.source, start: start, end: max(start, previousEnd))
    }

    // MARK: - Mistakes

    /// Reports that the current token is not the one that the grammar expects.
    ///
    /// A mistake within three tokens of an earlier mistake in the same definition is not reported, because it probably
    /// follows from the earlier one.
    mutating func fail(_ expectation: String, notes: [Diagnostic.Note] = [], suggestion: String? = nil) -> Failure {
        if let lastReportCount, tokenCount - lastReportCount < 3 {
            excuseHere()
            return Failure()
        }
        excuseNext()
        if token.kind.isBracket { hasStrayBracket = true }
        report(
            .syntax,
            "\(expectation), found \(description(of: token))",
            at: lexer.span(of: token),
            notes: notes,
            suggestion: suggestion
        )
        return Failure()
    }

    mutating func report(
        _ id: DiagnosticID,
        _ message: String,
        at span: Span,
        notes: [Diagnostic.Note] = [],
        suggestion: String? = nil
    ) {
        guard lastErrorStart != span.start else { return }
        lastErrorStart = span.start
        if isExcused { return }
        // The lexer has reported the same place already: either the broken token is misplaced too, or a token is
        // missing because the lexer skipped it.
        let isAhead = span.start >= previousEnd
        if let last = lexer.diagnostics.last?.span, isAhead ? last.start >= previousEnd : last.start == span.start {
            return
        }
        lexer.report(Diagnostic(id, message, at: span, notes: notes, suggestion: suggestion))
    }

    /// Suppresses errors at the current token, because they follow from a reported mistake.
    mutating func excuseHere() {
        lastErrorStart = token.start
    }

    /// Suppresses errors within the next few tokens, because they follow from a reported mistake.
    mutating func excuseNext() {
        lastReportCount = tokenCount
    }

    /// Whether this definition has a syntax error.
    var hasFailed: Bool { lastReportCount != nil }

    /// Forgets the mistakes of the previous definition.
    mutating func beginDefinition() {
        hasStrayBracket = false
        lastReportCount = nil
    }

    var reportCount: Int { lexer.diagnostics.count }

    /// The number of mistakes up to the last token that was taken. The current token may belong to the next definition.
    var reportCountSoFar: Int { reportCount - reportsAhead }

    func description(of token: Token) -> String {
        switch token.kind {
        case .endOfFile: "the end of the document"
        case .string: "a string"
        case .blockString: "a block string"
        default: "'\(shortText(of: token))'"
        }
    }

    /// The text of a token, cut if it is long.
    private func shortText(of token: Token) -> String {
        let text = lexer.text(of: token)
        return text.utf8.count > 200 ? text.prefix(100) + "..." : text
    }

    // MARK: - Nesting

    /// Enters a nested construct at the current token. `leave()` must follow, unless this function throws.
    mutating func enter() throws(Failure) {
        if depth >= limits.nesting {
            lexer.report(
                Diagnostic(
                    .nestingLimit,
                    "the document is nested more than \(limits.nesting) levels deep",
                    at: lexer.span(of: token)
                )
            )
            lexer.stop()
            token = lexer.next()
            throw Failure()
        }
        depth += 1
    }

    mutating func leave() {
        depth -= 1
    }

    var nesting: Int {
        get { depth }
        set { depth = newValue }
    }
}
