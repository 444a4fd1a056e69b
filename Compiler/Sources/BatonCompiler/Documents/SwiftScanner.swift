import BatonDiagnostics

/// Finds `graphql("""...""")` literals in Swift.
///
/// It knows comments (nested ones too), string literals of every kind with the interpolations inside, and regular
/// expression literals, so that nothing inside those is taken for code. A literal with an interpolation is an error, since its
/// text is not known before the program runs.
package struct SwiftScanner {
    /// A literal that was found.
    package struct Literal: Sendable {
        /// The text of the string, escapes resolved.
        package let text: [UInt8]
        /// From each offset in the text on, where it is found in the file.
        package let segments: [SourceFile.Derivation.Segment]
        /// The range in the file from the opening to the closing quote.
        package let range: Range<Int>
    }

    /// What is wrong with a literal, and where in the file.
    package struct Problem: Error, Sendable, Hashable {
        package let message: String
        package let range: Range<Int>
    }

    private let bytes: [UInt8]
    private var position = 0
    private var literals: [Literal] = []
    private var problems: [Problem] = []
    /// Interpolations inside strings inside interpolations.
    private var depth = 0

    private static let depthLimit = 50

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func scan(_ bytes: [UInt8]) -> (literals: [Literal], problems: [Problem]) {
        var scanner = SwiftScanner(bytes)
        scanner.code(untilParenthesis: false)
        return (scanner.literals, scanner.problems)
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        let index = position + offset
        return index < bytes.count ? bytes[index] : nil
    }

    private func isAt(_ text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + text.utf8CodeUnitCount]) }
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...:
            true
        default: false
        }
    }

    // MARK: - Code

    /// Goes through code to the end, or to the parenthesis that closes an interpolation.
    private mutating func code(untilParenthesis: Bool) {
        var parentheses = 0
        var previous: UInt8 = UInt8(ascii: "\n")
        while let byte = byte() {
            switch byte {
            case UInt8(ascii: "("):
                parentheses += 1
                position += 1
            case UInt8(ascii: ")"):
                position += 1
                if untilParenthesis, parentheses == 0 { return }
                parentheses -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                if !skipLiteral() { position += 1 }
            case UInt8(ascii: "/"):
                if !skipComment(), !skipRegularExpression(after: previous) { position += 1 }
            case _ where Self.isIdentifier(byte):
                let start = position
                while let next = self.byte(), Self.isIdentifier(next) { position += 1 }
                if depth == 0, bytes[start..<position].elementsEqual("graphql".utf8) { call(from: start) }
            default: position += 1
            }
            if byte != 0x20, byte != 0x09 { previous = byte }
        }
    }

    /// Skips a comment if there is one here.
    private mutating func skipComment() -> Bool {
        if isAt("//") {
            while let byte = byte(), byte != 0x0A, byte != 0x0D { position += 1 }
            return true
        }
        guard isAt("/*") else { return false }
        var depth = 0
        while position < bytes.count {
            if isAt("/*") {
                depth += 1
                position += 2
            } else if isAt("*/") {
                depth -= 1
                position += 2
                if depth == 0 { break }
            } else {
                position += 1
            }
        }
        return true
    }

    private mutating func skipSpace() {
        while let byte = byte() {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case UInt8(ascii: "/"): if !skipComment() { return }
            default: return
            }
        }
    }

    /// Skips `/.../` where an expression may begin, if it ends on the same line.
    private mutating func skipRegularExpression(after previous: UInt8) -> Bool {
        let openers: [UInt8] = Array("(,=:[{;!&|?\n\r".utf8)
        guard openers.contains(previous), let next = byte(1), next != 0x20, next != 0x09 else { return false }
        var index = position + 1
        var isInClass = false
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                position = index + 1
                return true
            default: break
            }
            index += 1
        }
        return false
    }

    /// Reads the argument behind `graphql`, if it is one string literal in parentheses.
    private mutating func call(from start: Int) {
        let beforeName = bytes[..<start].last { $0 != 0x20 && $0 != 0x09 }
        skipSpace()
        guard beforeName != UInt8(ascii: "."), byte() == UInt8(ascii: "(") else { return }
        let open = position
        position += 1
        skipSpace()
        let literalStart = position
        guard let literal = readLiteral() else {
            position = open
            return
        }
        skipSpace()
        if byte() != UInt8(ascii: ")") {
            let message = "'graphql' takes one string literal and nothing else"
            problems.append(Problem(message: message, range: literalStart..<max(position, literalStart)))
        }
        switch literal {
        case .success(let literal): literals.append(literal)
        case .failure(let problem): problems.append(problem)
        }
    }

    // MARK: - Literals

    private struct Delimiter {
        /// The number signs around the quotes.
        let fence: Int
        let isMultiline: Bool

        var length: Int { fence + (isMultiline ? 3 : 1) }
    }

    /// The opening of a string here, if there is one.
    private func delimiter() -> Delimiter? {
        var index = position
        while index < bytes.count, bytes[index] == UInt8(ascii: "#") { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        let quotes = bytes[index...].prefix(3)
        let isMultiline = quotes.count == 3 && quotes.allSatisfy { $0 == UInt8(ascii: "\"") }
        return Delimiter(fence: index - position, isMultiline: isMultiline)
    }

    /// Skips a string, or a regular expression with number signs, if there is one here.
    private mutating func skipLiteral() -> Bool {
        if readLiteral() != nil { return true }
        var index = position
        while index < bytes.count, bytes[index] == UInt8(ascii: "#") { index += 1 }
        let fence = index - position
        guard fence > 0, index < bytes.count, bytes[index] == UInt8(ascii: "/") else { return false }
        index += 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "/"),
                bytes[(index + 1)...].prefix(fence).elementsEqual(repeatElement(UInt8(ascii: "#"), count: fence))
            {
                position = index + 1 + fence
                return true
            }
            index += 1
        }
        return false
    }

    private func closes(_ delimiter: Delimiter) -> Bool {
        let quotes = delimiter.isMultiline ? 3 : 1
        guard position + delimiter.length <= bytes.count else { return false }
        let end = bytes[position..<position + delimiter.length]
        return end.prefix(quotes).allSatisfy { $0 == UInt8(ascii: "\"") }
            && end.dropFirst(quotes).allSatisfy { $0 == UInt8(ascii: "#") }
    }

    /// Reads a string literal; nil if there is none here.
    private mutating func readLiteral() -> Result<Literal, Problem>? {
        guard let delimiter = delimiter() else { return nil }
        let start = position
        position += delimiter.length
        var content = StringContent()
        var problem: Problem?
        while let byte = byte() {
            if closes(delimiter) {
                let contentEnd = position
                position += delimiter.length
                if let problem { return .failure(problem) }
                if delimiter.isMultiline { content.removeIndentation(closingAt: contentEnd, in: bytes) }
                let range = start..<position
                return .success(Literal(text: content.text, segments: content.segments, range: range))
            }
            if !delimiter.isMultiline, byte == 0x0A || byte == 0x0D { break }
            if byte == UInt8(ascii: "\\"), isEscape(delimiter) {
                let escapeStart = position
                position += 1 + delimiter.fence
                if self.byte() == UInt8(ascii: "(") {
                    position += 1
                    skipInterpolation()
                    let message = "a GraphQL literal cannot have an interpolation; use a variable of the operation"
                    problem = problem ?? Problem(message: message, range: escapeStart..<position)
                } else if let text = escape(in: delimiter) {
                    content.append(text, from: escapeStart, to: position)
                } else {
                    let message = "unknown escape sequence in a string"
                    problem = problem ?? Problem(message: message, range: escapeStart..<position)
                }
                continue
            }
            content.append(byte, at: position)
            position += 1
        }
        return .failure(Problem(message: "the string literal is not closed", range: start..<start + delimiter.length))
    }

    private mutating func skipInterpolation() {
        depth += 1
        if depth < Self.depthLimit { code(untilParenthesis: true) } else { position = bytes.count }
        depth -= 1
    }

    /// Whether a backslash is followed by as many number signs as the literal has.
    private func isEscape(_ delimiter: Delimiter) -> Bool {
        let signs = bytes[(position + 1)...].prefix(delimiter.fence)
        return signs.count == delimiter.fence && signs.allSatisfy { $0 == UInt8(ascii: "#") }
    }

    /// Reads what follows the backslash; nil if it is no escape sequence.
    private mutating func escape(in delimiter: Delimiter) -> [UInt8]? {
        guard let byte = byte() else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "0"): return [0x00]
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [byte]
        case UInt8(ascii: "u"):
            guard self.byte() == UInt8(ascii: "{"), let close = bytes[position...].firstIndex(of: UInt8(ascii: "}")),
                let code = UInt32(String(decoding: bytes[(position + 1)..<close], as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            else { return nil }
            position = close + 1
            return Array(String(Character(scalar)).utf8)
        case 0x20, 0x09, 0x0A, 0x0D:
            // A backslash at the end of a line joins it with the next one.
            guard delimiter.isMultiline else { return nil }
            position -= 1
            while let space = self.byte(), space == 0x20 || space == 0x09 { position += 1 }
            if self.byte() == 0x0D { position += 1 }
            if self.byte() == 0x0A { position += 1 }
            return []
        default: return nil
        }
    }
}
