/// Writes diagnostics for people: a line `path:line:column: error: message [id]`, then the source line with carets, the
/// suggestion, the fix, and the notes in the same form.
///
/// Text from a path, a message or a source line can neither begin a new line nor send a control character to a
/// terminal. The cost of a diagnostic does not depend on the length of its file or its line.
package struct TextRenderer {
    private var locator: SourceLocator
    private let style: TextStyle

    /// The longest part of a source line that is shown, in scalars.
    private static let window = 120
    /// The longest text, in bytes, that a fix shows in full.
    private static let quotedLimit = 60

    package init(sources: SourceSet, style: TextStyle = .plain) {
        locator = SourceLocator(sources: sources)
        self.style = style
    }

    /// The text of all diagnostics in the given order, each with a line break at its end.
    package mutating func render(_ diagnostics: [Diagnostic]) -> String {
        var output = ""
        for diagnostic in diagnostics { render(diagnostic, into: &output) }
        return output
    }

    /// The text of a digest, with a line for each remainder.
    package mutating func render(_ digest: DiagnosticDigest) -> String {
        var output = ""
        for entry in digest.entries {
            switch entry {
            case .diagnostic(let diagnostic): render(diagnostic, into: &output)
            case .remainder(let line): output += style(line, .margin) + "\n"
            }
        }
        return output
    }

    private mutating func render(_ diagnostic: Diagnostic, into output: inout String) {
        let role = TextStyle.Role(diagnostic.severity)
        let place = locator.place(of: diagnostic.span)
        output += head(place) + style("\(diagnostic.severity.rawValue):", role) + " "
        output += style(diagnostic.message.printable, .message) + " "
        output += style("[\(diagnostic.id.rawValue)]", .margin) + "\n"
        if let place { renderSource(of: place, role, into: &output) }
        if let suggestion = diagnostic.suggestion { output += "  \(style("help:", .help)) \(suggestion.printable)\n" }
        if let fix = diagnostic.fix { output += "  \(style("fix:", .help)) \(text(of: fix, diagnostic.span))\n" }
        for note in diagnostic.notes {
            let place = locator.place(of: note.span)
            output += head(place) + style("note:", .note) + " \(note.message.printable)\n"
            if let place { renderSource(of: place, .note, into: &output) }
        }
    }

    /// `path:line:column: `, or an empty text if there is no source.
    private func head(_ place: SourceLocator.Place?) -> String {
        guard let place else { return "" }
        return style("\(place.path.printable):\(place.start.line):\(place.start.column):", .position) + " "
    }

    /// The text of a fix, with its place if it differs from that of the diagnostic.
    private mutating func text(of fix: Diagnostic.Fix, _ span: Span) -> String {
        let replacement = fix.replacement.printable
        var text = "insert '\(replacement)'"
        let bytes = locator.bytes(of: fix.span)
        if !bytes.isEmpty {
            let old = bytes.count <= Self.quotedLimit ? "'\(String(decoding: bytes, as: UTF8.self).printable)'" : "this"
            text = replacement.isEmpty ? "remove \(old)" : "replace \(old) with '\(replacement)'"
        }
        if fix.span.source == span.source, fix.span.start == span.start { return text }
        return head(locator.place(of: fix.span)) + text
    }

    // MARK: - Source lines

    private func renderSource(of place: SourceLocator.Place, _ role: TextStyle.Role, into output: inout String) {
        let (start, end, table) = (place.start, place.end, place.table)
        let near = Self.stretch(of: table.bytes(ofLine: start.line), around: place.offset)
        let dropped = table.location(ofOffset: near.startIndex).column - 1
        let scalars = String(decoding: near, as: UTF8.self).unicodeScalars.map(Self.visible)
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
        for scalar in scalars[first..<last] { line.unicodeScalars.append(scalar) }
        if last < scalars.count { line += "..." }
        var indentation = first > 0 ? "   " : ""
        for scalar in scalars[first..<column] {
            indentation += scalar == "\t" ? "\t" : String(repeating: " ", count: scalar.terminalWidth)
        }
        let shown = scalars[column..<max(column, min(column + caretCount, last))]
        let width = max(1, shown.reduce(0) { $0 + $1.terminalWidth })
        let carets = "^" + String(repeating: "~", count: width - 1)

        output += style("\(margin)\(number) |", .margin) + (line.isEmpty ? "\n" : " \(line)\n")
        let blank = String(repeating: " ", count: margin.count + number.count)
        output += style("\(blank) |", .margin) + " \(indentation)\(style(carets, role))\n"
    }

    /// The part of a line around an offset that can be shown: on each side as many scalars as the window has. A
    /// thousand diagnostics in one line therefore cost as much as in a thousand lines.
    private static func stretch(of line: ArraySlice<UInt8>, around offset: Int) -> ArraySlice<UInt8> {
        let middle = min(max(offset, line.startIndex), line.endIndex)
        var start = middle
        var count = 0
        while start > line.startIndex, count <= window {
            start -= 1
            if line[start] & 0xC0 != 0x80 { count += 1 }
        }
        while start > line.startIndex, line[start] & 0xC0 == 0x80 { start -= 1 }
        var end = middle
        count = 0
        while end < line.endIndex, count <= window || line[end] & 0xC0 == 0x80 {
            if line[end] & 0xC0 != 0x80 { count += 1 }
            end += 1
        }
        return line[start..<end]
    }

    /// The scalar that is shown for a scalar, so that each scalar keeps its column.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "\t" || scalar.isPrintable ? scalar : "\u{FFFD}"
    }
}
