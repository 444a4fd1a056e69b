/// Finds path, line and column of spans; makes one line table for each file.
struct SourceLocator {
    private let sources: SourceSet
    /// The line tables by the id of the original file, also for literals that are derived from it.
    private var tables: [SourceID: LineTable] = [:]

    init(sources: SourceSet) {
        self.sources = sources
    }

    /// The place of a span in the file that a person edits.
    struct Place {
        let path: String
        let start: SourceLocation
        /// The position after the last character.
        let end: SourceLocation
        /// The offset of the first byte in the line table's text.
        let offset: Int
        let table: LineTable
    }

    /// The place of a span; nil if it has no source, as predeclared types do.
    mutating func place(of span: Span) -> Place? {
        guard let file = sources[span.source] else { return nil }
        let offset = file.originalOffset(of: Int(span.start))
        let table = table(of: file.derivation?.original ?? file)
        return Place(
            path: file.path,
            start: table.location(ofOffset: offset),
            end: table.location(ofOffset: file.originalOffset(of: Int(max(span.start, span.end)))),
            offset: offset,
            table: table
        )
    }

    /// The bytes of a span in the text that was parsed.
    func bytes(of span: Span) -> ArraySlice<UInt8> {
        guard let file = sources[span.source] else { return [] }
        return file.bytes[span.range.clamped(to: file.bytes.indices)]
    }

    private mutating func table(of file: SourceFile) -> LineTable {
        if let table = tables[file.id] { return table }
        let table = LineTable(bytes: file.bytes)
        tables[file.id] = table
        return table
    }
}
