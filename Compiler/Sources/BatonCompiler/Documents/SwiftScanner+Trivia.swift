import BatonDiagnostics

extension SwiftScanner {
    func byte(_ index: Int) -> UInt8? {
        index >= 0 && index < bytes.count ? bytes[index] : nil
    }

    func peek(_ distance: Int) -> UInt8? { byte(position + distance) }

    func arePounds(at index: Int, count: Int) -> Bool {
        guard count > 0 else { return true }
        guard index + count <= bytes.count else { return false }
        return bytes[index..<(index + count)].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// Skips white space and comments.
    mutating func skipTrivia() {
        while let byte = peek(0) {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/") || peek(1) == UInt8(ascii: "*"): skipComment()
            default: return
            }
        }
    }

    /// Skips `// ...` or `/* ... */`; block comments nest.
    mutating func skipComment() {
        if peek(1) == UInt8(ascii: "/") {
            while let byte = peek(0), byte != 0x0A, byte != 0x0D { position += 1 }
            return
        }
        let start = position
        var depth = 0
        while let byte = peek(0) {
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                position += 2
            } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                position += 2
                if depth == 0 { return }
            } else {
                position += 1
            }
        }
        reportUnterminatedComment(at: start)
    }

    /// Records how far no extended regex literal with this number of `#` signs ends: to the end of the line, or of the
    /// file for a literal with several lines.
    mutating func noteNoRegex(at start: Int, pounds: Int) {
        guard start >= regexSearchEnds[pounds, default: 0] else { return }
        let spansLines = byte(start + 1) == 0x0A || byte(start + 1) == 0x0D
        let end = spansLines ? nil : bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D }
        regexSearchEnds[pounds] = end ?? bytes.count
    }

    /// The end of the regex literal whose first slash is at `start`; nil if there is none.
    ///
    /// A literal without `#` signs ends on its line, neither begins nor ends with a space, and has no unbalanced `)`.
    /// Swift uses the same rules to tell a regex from an operator.
    func endOfRegex(at start: Int, pounds: Int) -> Int? {
        var index = start + 1
        guard let first = byte(index) else { return nil }
        let spansLines = pounds > 0 && (first == 0x0A || first == 0x0D)
        if pounds == 0, first == 0x20 || first == 0x09 { return nil }
        var parentheses = 0
        var isInClass = false
        while let byte = byte(index) {
            switch byte {
            case 0x0A where !spansLines, 0x0D where !spansLines: return nil
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "(") where !isInClass: parentheses += 1
            case UInt8(ascii: ")") where !isInClass:
                parentheses -= 1
                if parentheses < 0, pounds == 0 { return nil }
            case UInt8(ascii: "/") where arePounds(at: index + 1, count: pounds):
                let last = self.byte(index - 1)
                if pounds == 0, last == 0x20 || last == 0x09 { return nil }
                return index + 1 + pounds
            default: break
            }
            index += 1
        }
        return nil
    }
}
