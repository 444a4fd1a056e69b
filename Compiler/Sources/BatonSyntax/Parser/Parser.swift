import BatonDiagnostics

/// A recursive descent parser for the whole language, executable and type-system documents alike.
///
/// Every function reads one production, which its comment quotes. A mistake is reported where it is and the parser goes
/// on with the next argument, field or definition, so that two mistakes are two diagnostics. Functions throw only to
/// reach the place that goes on; what they throw was already reported.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Language
package struct Parser: Sendable {
    var lexer: Lexer
    /// The token that is looked at next.
    var token: Token
    /// Where the last token that was taken ended.
    var previousEnd: UInt32
    let limits: ParserLimits
    private var depth = 0
    private var tokenCount = 0
    /// How many mistakes the lexer found in the token that is looked at next, or in front of it.
    private var reportsAhead = 0
    /// Where the last error was, so that one place is never reported twice.
    private var lastErrorStart: UInt32?

    /// Whether an unclosed string may have swallowed anything, so that what is missing until the next definition is no
    /// further mistake.
    var isExcused = false

    /// Whether in this definition a bracket stood where none belongs, so that those around it may not match either.
    var hasStrayBracket = false
    /// Whether a definition may have been taken for a part of another one, which lacks a brace.
    var mayHaveSwallowed = false
    /// The last token that was taken.
    private(set) var previousKind = Token.Kind.endOfFile
    /// How many tokens had been taken when something else was last found than was expected in this definition.
    private var lastReportCount: Int?

    /// Whether a brace was skipped that nothing opens.
    var hasStrayBrace = false

    /// Says that a production could not be read; the diagnostic is already there.
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
    /// Positions in the tree and in diagnostics are offsets in the whole text. Definitions that contain a mistake are
    /// in the document with what could be read, marked as broken. Diagnostics are sorted by position.
    package static func parseDocument(
        _ source: SourceFile,
        range: Range<Int>? = nil,
        limits: ParserLimits = ParserLimits()
    ) -> (document: Document, diagnostics: [Diagnostic]) {
        var parser = Parser(source: source, range: range, limits: limits, isWholeDocument: true)
        let document = parser.document()
        return (document, parser.lexer.diagnostics.sortedByPosition())
    }

    /// Parses a type that stands in a string, as in `@argumentDefinitions(count: {type: "Int!"})`; nil if it is none.
    package static func parseType(_ text: String) -> TypeNode? {
        let source = SourceFile(id: .predeclared, path: "", bytes: Array(text.utf8))
        var parser = Parser(source: source, range: nil, limits: ParserLimits(), isWholeDocument: false)
        guard let type = try? parser.type(), parser.token.kind == .endOfFile else { return nil }
        return parser.lexer.diagnostics.isEmpty ? type : nil
    }

    /// Parses a constant that stands in a string, as a default does in an answer to the introspection query; nil if it
    /// is none. Positions are offsets in the text.
    package static func parseConstant(_ text: String, in source: SourceID) -> Value? {
        let source = SourceFile(id: source, path: "", bytes: Array(text.utf8))
        var parser = Parser(source: source, range: nil, limits: ParserLimits(), isWholeDocument: false)
        guard let value = try? parser.value(isConstant: true), parser.token.kind == .endOfFile else { return nil }
        return parser.lexer.diagnostics.isEmpty ? value : nil
    }

    // MARK: - Tokens

    /// Takes the token.
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

    /// The token behind the current one; costs a copy, so it is for errors and rare choices.
    var following: Token {
        var copy = lexer
        return copy.next()
    }

    /// Takes the token if it is of this kind.
    mutating func take(_ kind: Token.Kind) -> Bool {
        guard token.kind == kind else { return false }
        advance()
        return true
    }

    mutating func expect(_ kind: Token.Kind) throws(Failure) {
        if take(kind) { return }
        throw fail("expected '\(kind.text ?? "")'")
    }

    /// Whether the token is this word.
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

    /// From an offset to the end of the last token taken.
    func span(from start: UInt32) -> Span {
        Span(source: lexer.source, start: start, end: max(start, previousEnd))
    }

    // MARK: - Mistakes

    /// Reports what was expected instead of the current token.
    ///
    /// What is wrong within a few tokens behind another mistake of the same definition probably follows from it.
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
        // What the lexer found broken may also stand where it does not belong, or lack where it was skipped.
        let isAhead = span.start >= previousEnd
        if let last = lexer.diagnostics.last?.span, isAhead ? last.start >= previousEnd : last.start == span.start {
            return
        }
        lexer.report(Diagnostic(id, message, at: span, notes: notes, suggestion: suggestion))
    }

    /// Says that a mistake at the current token follows from one that was reported.
    mutating func excuseHere() {
        lastErrorStart = token.start
    }

    /// Says that a mistake within the next few tokens follows from one that is reported.
    mutating func excuseNext() {
        lastReportCount = tokenCount
    }

    /// Whether something else was found than was expected in this definition.
    var hasFailed: Bool { lastReportCount != nil }

    /// Forgets what was noted about mistakes in the definition in front.
    mutating func beginDefinition() {
        hasStrayBracket = false
        lastReportCount = nil
    }

    var reportCount: Int { lexer.diagnostics.count }

    /// The mistakes in what was taken: the lexer is one token ahead, and that one may belong to another definition.
    var reportCountSoFar: Int { reportCount - reportsAhead }

    func description(of token: Token) -> String {
        switch token.kind {
        case .endOfFile: "the end of the document"
        case .string: "a string"
        case .blockString: "a block string"
        default: "'\(shortText(of: token))'"
        }
    }

    /// The text of a token, without the rest of one that is longer than any line.
    private func shortText(of token: Token) -> String {
        let text = lexer.text(of: token)
        return text.utf8.count > 200 ? text.prefix(100) + "..." : text
    }

    // MARK: - Nesting

    /// Enters a nested construct that begins at the current token; `leave()` must follow unless this throws.
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
