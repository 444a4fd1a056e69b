import BatonDiagnostics

/// Formats documents and schemas in the layout of Prettier: two spaces of indentation, one selection on each line, a
/// blank line between definitions. Comments keep their place, and one blank line between two selections, fields,
/// arguments or comments is kept.
///
/// Arguments, variables, lists, objects, directives, locations and members of unions are on one line if
/// they fit there, and have a line each otherwise. A comment inside has the same effect. Block strings are on lines of
/// their own, unless that would change their value; other strings, numbers and names are not changed.
///
/// The formatted text parses to an equal tree, and formatting it again changes nothing.
package struct DocumentFormatter: Sendable {
    /// The number of columns that a line should not exceed.
    package var width = 100
    package var limits: ParserLimits

    package init(limits: ParserLimits = ParserLimits()) {
        self.limits = limits
    }

    /// The edits that format a text, sorted, at most one for each definition; none if the text has a mistake.
    package struct Outcome: Hashable, Sendable {
        package var edits: [TextEdit] = []
        /// The mistakes because of which the text is left as it is.
        package var diagnostics: [Diagnostic] = []

        package init() {}
    }

    /// Formats a whole text.
    package func format(_ source: SourceFile) -> Outcome {
        format(source, range: 0..<source.bytes.count, literal: nil)
    }

    /// Formats the content of a literal between its delimiters, which are on lines of their own. Each line is indented
    /// like the closing delimiter.
    package func format(_ source: SourceFile, literal content: Range<Int>) -> Outcome {
        let content = content.clamped(to: 0..<source.bytes.count)
        let bytes = source.bytes[content]
        let isWhiteSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let isLineBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        guard let last = bytes.lastIndex(where: isLineBreak), bytes[(last + 1)...].allSatisfy(isWhiteSpace),
            let first = bytes.first(where: { !isWhiteSpace($0) }), isLineBreak(first)
        else { return Outcome() }
        return format(source, range: content, literal: Array(bytes[(last + 1)...]))
    }

    private func format(_ source: SourceFile, range: Range<Int>, literal indentation: [UInt8]?) -> Outcome {
        var outcome = Outcome()
        let (_, found) = Parser.parseDocument(source, range: range, limits: limits, mayBeEmpty: true)
        outcome.diagnostics = found
        guard found.isEmpty else { return outcome }
        let lineBreak = Self.lineBreak(of: source.bytes)
        var writer = LayoutWriter(CommentedTokens(source, range: range))
        var position = range.lowerBound
        var isFirst = true
        func replace(to end: Int, _ pieces: [LayoutPiece], closing: [UInt8] = []) {
            var renderer = LayoutRenderer(
                bytes: source.bytes,
                width: width,
                indentation: indentation ?? [],
                lineBreak: lineBreak,
                isAtLineStart: isFirst
            )
            renderer.render(pieces)
            let text = renderer.output + closing
            let replaced = position..<max(position, end)
            if !source.bytes[replaced].elementsEqual(text) {
                outcome.edits.append(TextEdit(range: replaced, replacement: text))
            }
            position = replaced.upperBound
        }
        while !writer.isAtEnd {
            writer.beginDefinition(isFirst: isFirst, startsLine: indentation != nil)
            writer.definition()
            replace(to: writer.previousEnd ?? position, writer.pieces)
            writer.pieces.removeAll(keepingCapacity: true)
            isFirst = false
        }
        writer.beginDefinition(isFirst: isFirst, startsLine: indentation != nil)
        let isEmpty = isFirst && writer.pieces.isEmpty
        if isEmpty, indentation != nil { return outcome }
        replace(to: range.upperBound, writer.pieces, closing: isEmpty ? [] : lineBreak + (indentation ?? []))
        return outcome
    }

    /// The first line break of a text; a line feed if the text has none.
    private static func lineBreak(of bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }), bytes[first] == 0x0D else {
            return [0x0A]
        }
        return first + 1 < bytes.count && bytes[first + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }
}
