import BatonDiagnostics

/// Finds string literals that are the only argument of `graphql(_:)` in a Swift source, and reports other arguments.
///
/// The scanner is not a parser. It handles nested comments, regex literals, and string literals of all forms, whose
/// interpolations may contain further literals. `x.graphql("...")`, `#graphql("...")` and declarations named `graphql`
/// are ignored; `Baton.graphql("...")` is not. Conditional compilation is not evaluated. The scanner makes one pass and
/// keeps nesting on an explicit stack.
package struct SwiftScanner {
    /// The literals in the order of the file.
    package private(set) var literals: [SwiftLiteral] = []
    package private(set) var diagnostics: [Diagnostic] = []
    /// Whether mistakes in Swift are left to the Swift compiler.
    var isSilent = false

    let bytes: [UInt8]
    let source: SourceID
    var position = 0
    /// The kind of the token before the position, which affects the reading of the next token.
    var previous = Previous.start
    /// By the number of `#` signs, the position before which no regex literal ends. No part of a file is searched
    /// twice.
    var regexSearchEnds: [Int: Int] = [:]
    /// The literals around the interpolation at the position, each with its number of open parentheses.
    private var enclosing: [(literal: OpenLiteral, parentheses: Int)] = []
    /// The number of open brackets of any kind.
    var depth = 0
    /// The open calls whose argument is not a literal so far, the innermost last.
    var calls: [OpenCall] = []
    var wrongArguments: [WrongArgument] = []
    /// Whether the file imports Baton.
    var importsModule = false
    /// Whether the file declares a function `graphql`.
    var declaresMarker = false
    /// The literals that begin like a GraphQL document and that the compiler does not read, in the order of the file.
    package internal(set) var unread: [SwiftLiteral] = []
    /// The calls that resemble `graphql(_:)`, by the position of the literal that is their argument.
    var lookalikes: [Int: Lookalike] = [:]
    /// The lookalikes whose only argument is a document.
    var unreadCalls: [Lookalike] = []
    /// The names in lower case of functions that the file declares, if they resemble `graphql`.
    var declaredLookalikes: Set<String> = []

    /// The kind of the previous token.
    enum Previous {
        case start
        /// A token that ends an expression, so that a following `/` divides.
        case operand
        /// The identifier `Baton` without a dot before it.
        case runtimeModule
        case dot
        /// The dot in `Baton.`
        case runtimeDot
        /// A keyword that declares the next name, or `@` or `#` before a name.
        case naming
        /// The keyword `func`, which declares the next name.
        case namingFunction
        /// The keyword `import`.
        case importing
        case other
    }

    /// A literal whose end has not been reached.
    struct OpenLiteral {
        let start: Int
        let contentStart: Int
        let pounds: Int
        let isMultiline: Bool
        /// Whether the literal is the argument of `graphql(_:)`.
        let isDocument: Bool
        var hasEscapes = false
        var interpolations: [Int] = []
    }

    private init(_ file: SourceFile) {
        bytes = file.bytes
        source = file.id
    }

    /// Scans a file. A file without `graphql` and names that resemble it costs only a search.
    ///
    /// - Parameter entirely: True to scan any file, so that `unread` is complete.
    package static func scan(_ file: SourceFile, entirely: Bool = false) -> SwiftScanner {
        var scanner = SwiftScanner(file)
        let mention = mention(in: file.bytes)
        guard mention != nil || entirely else { return scanner }
        // Mistakes in Swift are reported only in a file with the name `graphql`, because the scanner is not a parser.
        scanner.isSilent = mention != .marker
        scanner.scan()
        return scanner
    }

    // MARK: - Code

    private mutating func scan() {
        while position < bytes.count { scanToken() }
        reportWrongArguments()
        reportUnreadCalls()
        if let outermost = enclosing.first?.literal {
            report(.swiftUnterminated, "this string literal has an interpolation that does not end", at: outermost)
        }
    }

    private mutating func scanToken() {
        let byte = bytes[position]
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: position += 1
        case UInt8(ascii: "/"): scanSlash()
        case UInt8(ascii: "\""): scanLiteral(isDocument: false)
        case UInt8(ascii: "#"): scanPound()
        case UInt8(ascii: "`"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF,
            UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            scanIdentifier()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): scanNumber()
        case UInt8(ascii: "."):
            position += 1
            previous = previous == .runtimeModule ? .runtimeDot : .dot
        case UInt8(ascii: "["), UInt8(ascii: "{"): openBracket()
        case UInt8(ascii: "("):
            openBracket()
            if !enclosing.isEmpty { enclosing[enclosing.count - 1].parentheses += 1 }
        case UInt8(ascii: ")"): scanClosingParenthesis()
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            position += 1
            previous = .operand
            countClosingBracket(isParenthesis: false)
        case UInt8(ascii: ","): scanComma()
        case UInt8(ascii: "@"):
            position += 1
            previous = .naming
        default:
            position += 1
            previous = .other
        }
    }

    private mutating func scanClosingParenthesis() {
        position += 1
        previous = .operand
        countClosingBracket(isParenthesis: true)
        guard let innermost = enclosing.last else { return }
        if innermost.parentheses == 0 {
            enclosing.removeLast()
            scanContent(of: innermost.literal)
        } else {
            enclosing[enclosing.count - 1].parentheses -= 1
        }
    }

    private mutating func scanSlash() {
        if peek(1) == UInt8(ascii: "/") || peek(1) == UInt8(ascii: "*") {
            skipComment()
        } else if previous != .operand, previous != .runtimeModule, let end = endOfRegex(at: position, pounds: 0) {
            position = end
            previous = .operand
        } else {
            position += 1
            previous = .other
        }
    }

    /// Scans a raw literal, an extended regex, or a directive or macro.
    private mutating func scanPound() {
        let pounds = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        if peek(pounds) == UInt8(ascii: "\"") {
            scanLiteral(isDocument: false)
        } else if peek(pounds) == UInt8(ascii: "/"), position >= regexSearchEnds[pounds, default: 0],
            let end = endOfRegex(at: position + pounds, pounds: pounds)
        {
            position = end
            previous = .operand
        } else {
            if peek(pounds) == UInt8(ascii: "/") { noteNoRegex(at: position + pounds, pounds: pounds) }
            position += pounds
            previous = .naming
        }
    }

    private mutating func scanNumber() {
        while let byte = peek(0) {
            let isFraction = byte == UInt8(ascii: ".") && (peek(1).map { (0x30...0x39).contains($0) } ?? false)
            guard Self.isIdentifierByte(byte) || isFraction else { break }
            position += 1
        }
        previous = .operand
    }

    private mutating func scanIdentifier() {
        let word: ArraySlice<UInt8>
        let first = position
        let isQuoted = bytes[position] == UInt8(ascii: "`")
        if isQuoted {
            let end = bytes[(position + 1)...].firstIndex { $0 == UInt8(ascii: "`") || $0 == 0x0A } ?? bytes.count
            word = bytes[(position + 1)..<end]
            position = min(end + 1, bytes.count)
        } else {
            let start = position
            while let byte = peek(0), Self.isIdentifierByte(byte) { position += 1 }
            word = bytes[start..<position]
        }
        let before = previous
        let isMember = before == .dot || before == .runtimeDot
        previous = .operand
        if word.elementsEqual("graphql".utf8) {
            switch before {
            case .dot, .naming: break
            case .namingFunction: declaresMarker = true
            default:
                noteLookalike(named: first..<position, isMarker: true)
                scanCall(isQualified: before == .runtimeDot)
            }
        } else if Self.resemblesMarker(word) {
            switch before {
            case .dot, .naming: break
            case .namingFunction: declaredLookalikes.insert(String(decoding: word, as: UTF8.self).lowercased())
            default: noteLookalike(named: first..<position, isMarker: false)
            }
        } else if !isMember, word.elementsEqual("Baton".utf8) {
            if before == .importing { importsModule = true }
            previous = .runtimeModule
        } else if !isMember, !isQuoted, word.count <= 11 {
            let text = String(decoding: word, as: UTF8.self)
            if text == "func" {
                previous = .namingFunction
            } else if text == "import" {
                previous = .importing
            } else if Self.declaringKeywords.contains(text) {
                previous = .naming
            } else if Self.keywordsBeforeExpressions.contains(text) {
                previous = .other
            }
        }
    }

    private static let declaringKeywords: Set<String> = [
        "macro", "case", "class", "struct", "enum", "actor", "protocol", "extension", "typealias",
    ]

    private static let keywordsBeforeExpressions: Set<String> = [
        "return", "throw", "try", "await", "in", "where", "if", "else", "while", "guard", "is", "as", "do", "repeat",
        "switch", "yield", "consume", "copy", "default",
    ]

    /// Scans a call after the name `graphql`. Reads the literal if it is the first argument.
    private mutating func scanCall(isQualified: Bool) {
        let start = position
        skipTrivia()
        guard peek(0) == UInt8(ascii: "(") else {
            position = start
            return
        }
        let parenthesis = position
        position += 1
        skipTrivia()
        let pounds = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        let isLiteral = peek(pounds) == UInt8(ascii: "\"")
        let literalStart = position
        position = parenthesis
        scanToken()  // counts the parenthesis
        position = literalStart
        open(depth, isCertain: isLiteral || isQualified)
        if isLiteral { scanLiteral(isDocument: true) }
    }

    // MARK: - Literals

    /// Scans the literal whose first `#` or quote is at the position.
    private mutating func scanLiteral(isDocument: Bool) {
        let start = position
        let pounds = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        let quote = start + pounds
        let isMultiline =
            byte(quote + 1) == UInt8(ascii: "\"") && byte(quote + 2) == UInt8(ascii: "\"")
            && !(pounds > 0 && closesOnLine(from: quote + 1, pounds: pounds))
        position = quote + (isMultiline ? 3 : 1)
        scanContent(
            of: OpenLiteral(
                start: start,
                contentStart: position,
                pounds: pounds,
                isMultiline: isMultiline,
                isDocument: isDocument
            )
        )
    }

    /// Whether a closing delimiter follows on the same line. If so, three quotes after `#` signs do not begin a
    /// multiline literal: `#"""#` is a literal with one quote.
    private func closesOnLine(from start: Int, pounds: Int) -> Bool {
        var index = start
        while let byte = byte(index), byte != 0x0A, byte != 0x0D {
            if byte == UInt8(ascii: "\""), arePounds(at: index + 1, count: pounds) { return true }
            index += 1
        }
        return false
    }

    /// Scans the content of a literal up to its end or to an interpolation, which is scanned as code.
    private mutating func scanContent(of open: OpenLiteral) {
        var literal = open
        while let byte = peek(0) {
            switch byte {
            case UInt8(ascii: "\""):
                let quotes = literal.isMultiline ? 3 : 1
                let isClosing =
                    bytes[position...].prefix(quotes).elementsEqual(repeatElement(byte, count: quotes))
                    && arePounds(at: position + quotes, count: literal.pounds)
                guard isClosing else {
                    position += 1
                    continue
                }
                let end = position
                position += quotes + literal.pounds
                previous = .operand
                finish(literal, contentEnd: end)
                return
            case UInt8(ascii: "\\") where arePounds(at: position + 1, count: literal.pounds):
                let escape = position
                position += 1 + literal.pounds
                if peek(0) == UInt8(ascii: "(") {
                    literal.interpolations.append(escape)
                    openBracket()
                    enclosing.append((literal, 0))
                    return
                }
                literal.hasEscapes = true
                if let next = peek(0), literal.isMultiline || (next != 0x0A && next != 0x0D) { position += 1 }
            case 0x0A where !literal.isMultiline, 0x0D where !literal.isMultiline:
                previous = .operand
                if literal.isDocument { reportUnterminated(literal) }
                return
            default: position += 1
            }
        }
        previous = .operand
        if literal.isDocument || literal.isMultiline { reportUnterminated(literal) }
    }

    /// Records a literal if it is the only argument. A call with further arguments calls another function.
    private mutating func finish(_ literal: OpenLiteral, contentEnd: Int) {
        let finished = SwiftLiteral(
            start: literal.start,
            content: literal.contentStart..<contentEnd,
            pounds: literal.pounds,
            isMultiline: literal.isMultiline,
            hasEscapes: literal.hasEscapes
        )
        guard literal.isDocument, isOnlyArgument else { return noteUnread(finished) }
        closeCall(argumentAt: literal.start)
        for interpolation in literal.interpolations {
            let end = interpolation + literal.pounds + 2
            report(
                Diagnostic(
                    .swiftInterpolation,
                    "a GraphQL document may not contain an interpolation",
                    at: span(interpolation, end),
                    suggestion: "use a variable of the operation instead"
                )
            )
        }
        if literal.interpolations.isEmpty { literals.append(finished) }
    }

    private mutating func reportUnterminated(_ literal: OpenLiteral) {
        if literal.isDocument { excuseCall() }
        report(.swiftUnterminated, "this string literal does not end", at: literal)
    }

    private mutating func report(_ id: DiagnosticID, _ message: String, at literal: OpenLiteral) {
        report(Diagnostic(id, message, at: span(literal.start, literal.contentStart)))
    }

    mutating func reportUnterminatedComment(at start: Int) {
        report(Diagnostic(.swiftUnterminated, "this comment does not end", at: span(start, start + 2)))
    }

    /// Reports a mistake, unless mistakes of Swift are left to the Swift compiler.
    mutating func report(_ diagnostic: Diagnostic) {
        if !isSilent { diagnostics.append(diagnostic) }
    }

    /// Reports a call that the Swift compiler accepts and this compiler does not read.
    mutating func reportUnread(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    func span(_ start: Int, _ end: Int) -> Span {
        Span(source: source, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
    }
}
