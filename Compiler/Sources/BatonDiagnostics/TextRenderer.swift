/// Writes diagnostics for people: one line each as `path:line:column: error: message [id]`, then the source line with
/// carets, the suggestion, and the notes in the same form.
package struct TextRenderer {
    private let sources: SourceSet
    private var tables: [SourceID: LineTable] = [:]

    /// The widest stretch of a source line that is shown, in scalars.
    private static let window = 120
    /// The longest text, in bytes, that a fix names in full.
    private static let quotedLimit = 60

    package init(sources: SourceSet) {
        self.sources = sources
    }

    /// The text of all diagnostics in the order given, each ended by a line break.
    package mutating func render(_ diagnostics: [Diagnostic]) -> String {
        var output = ""
        for diagnostic in diagnostics { render(diagnostic, into: &output) }
        return output
    }

    private mutating func render(_ diagnostic: Diagnostic, into output: inout String) {
        output += position(of: diagnostic.span)
        output += "\(diagnostic.severity.rawValue): \(diagnostic.message) [\(diagnostic.id.rawValue)]\n"
        renderSource(of: diagnostic.span, into: &output)
        if let suggestion = diagnostic.suggestion { output += "  help: \(suggestion)\n" }
        if let fix = diagnostic.fix { output += "  fix: \(description(of: fix, for: diagnostic.span))\n" }
        for note in diagnostic.notes {
            output += position(of: note.span) + "note: \(note.message)\n"
            renderSource(of: note.span, into: &output)
        }
    }

    /// What to change, with its place where that is not the one of the diagnostic.
    private mutating func description(of fix: Diagnostic.Fix, for span: Span) -> String {
        var text = "insert '\(fix.replacement)'"
        if let file = sources[fix.span.source], fix.span.end > fix.span.start {
            let bytes = file.bytes[fix.span.range.clamped(to: file.bytes.indices)]
            let isShort = bytes.count <= Self.quotedLimit && !bytes.contains { $0 == 0x0A || $0 == 0x0D }
            let old = isShort ? "'\(String(decoding: bytes, as: UTF8.self))'" : "this"
            text = fix.replacement.isEmpty ? "remove \(old)" : "replace \(old) with '\(fix.replacement)'"
        }
        if fix.span.source == span.source, fix.span.start == span.start { return text }
        let place = position(of: fix.span)
        return place.isEmpty ? text : place + text
    }

    private mutating func position(of span: Span) -> String {
        guard let file = sources[span.source] else { return "" }
        let location = table(of: file).location(ofOffset: file.originalOffset(of: Int(span.start)))
        return "\(file.path):\(location.line):\(location.column): "
    }

    private mutating func table(of file: SourceFile) -> LineTable {
        if let table = tables[file.id] { return table }
        let table = LineTable(bytes: file.originalBytes)
        tables[file.id] = table
        return table
    }

    private mutating func renderSource(of span: Span, into output: inout String) {
        guard let file = sources[span.source] else { return }
        let table = table(of: file)
        let start = table.location(ofOffset: file.originalOffset(of: Int(span.start)))
        let end = table.location(ofOffset: file.originalOffset(of: Int(max(span.start, span.end))))
        let near = Self.stretch(of: table.bytes(ofLine: start.line), around: file.originalOffset(of: Int(span.start)))
        let dropped = table.location(ofOffset: near.startIndex).column - 1
        let scalars = Array(String(decoding: near, as: UTF8.self).unicodeScalars)
        let startColumn = start.column - dropped
        let endColumn = end.line == start.line ? end.column - dropped : scalars.count + 1
        let caretCount = max(1, endColumn - startColumn)

        let column = min(max(0, startColumn - 1), scalars.count)
        let isLong = scalars.count > Self.window
        let first = isLong && column > Self.window - 40 ? column - (Self.window - 40) : 0
        let last = min(scalars.count, first + Self.window)
        let number = String(start.line)
        let margin = String(repeating: " ", count: max(0, 5 - number.count))

        var line = first > 0 ? "..." : ""
        for scalar in scalars[first..<last] { line.unicodeScalars.append(Self.visible(scalar)) }
        if last < scalars.count { line += "..." }
        var pointer = first > 0 ? "   " : ""
        for scalar in scalars[first..<column] { pointer += scalar == "\t" ? "\t" : " " }
        let shown = max(1, min(caretCount, first + Self.window - column))
        pointer += "^" + String(repeating: "~", count: shown - 1)

        output += line.isEmpty ? "\(margin)\(number) |\n" : "\(margin)\(number) | \(line)\n"
        output += "      | \(pointer)\n"
    }

    /// What of a very long line is looked at: more than the window at either side, so that a thousand diagnostics in one
    /// line cost what a thousand lines do. It begins with a whole scalar.
    private static func stretch(of line: ArraySlice<UInt8>, around offset: Int) -> ArraySlice<UInt8> {
        let reach = 8 * window
        var start = max(line.startIndex, min(offset, line.endIndex) - reach)
        while start > line.startIndex, line[start] & 0xC0 == 0x80 { start -= 1 }
        return line[start..<min(line.endIndex, start + 2 * reach)]
    }

    /// Control characters in a document must not reach a terminal.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar == "\t" { return scalar }
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFEFF { return "\u{FFFD}" }
        return scalar
    }
}
