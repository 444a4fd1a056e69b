import BatonDiagnostics

/// Converts between the raw text between triple quotes and its value.
///
/// Specification: https://spec.graphql.org/September2025/#BlockStringValue()
package enum BlockString {
    /// Removes the common indentation of all lines but the first, and blank lines at both ends.
    static func value(ofRaw raw: ArraySlice<UInt8>) -> String {
        var lines = lines(of: unescaped(raw))
        var common: Int?
        for line in lines.dropFirst() {
            let indent = line.prefix { isWhiteSpace($0) }.count
            if indent < line.count { common = min(common ?? indent, indent) }
        }
        if let common {
            for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(common) }
        }
        let isBlank = { (line: ArraySlice<UInt8>) in line.allSatisfy(isWhiteSpace) }
        guard let last = lines.lastIndex(where: { !isBlank($0) }) else { return "" }
        let kept = lines[...last].drop(while: isBlank)
        return String(decoding: Array(kept.joined(separator: [0x0A])), as: UTF8.self)
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    private static func unescaped(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let backslash = UInt8(ascii: "\\")
        guard raw.contains(backslash) else { return raw }
        var output: [UInt8] = []
        output.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            let follows = raw[(index + 1)...].prefix(3)
            if raw[index] == backslash, follows.count == 3, follows.allSatisfy({ $0 == UInt8(ascii: "\"") }) {
                output.append(contentsOf: follows)
                index += 4
            } else {
                output.append(raw[index])
                index += 1
            }
        }
        return output[...]
    }

    private static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            let byte = text[index]
            if byte == 0x0A || byte == 0x0D {
                lines.append(text[start..<index])
                if byte == 0x0D, index + 1 < text.endIndex, text[index + 1] == 0x0A { index += 1 }
                start = index + 1
            }
            index += 1
        }
        lines.append(text[start..<text.endIndex])
        return lines
    }

    /// Whether a text is unchanged after printing it between triple quotes and parsing it.
    package static func canHold(_ text: String) -> Bool {
        if text.isEmpty { return false }
        for scalar in text.unicodeScalars where !scalar.isPrintable && scalar != "\t" && scalar != "\n" { return false }
        let lines = lines(of: Array(text.utf8)[...])
        guard let first = lines.first, let last = lines.last else { return false }
        if first.allSatisfy(isWhiteSpace) || last.allSatisfy(isWhiteSpace) { return false }
        // The parser would remove an indentation that all lines share.
        return lines.contains { line in line.first.map { !isWhiteSpace($0) } ?? false }
    }
}
