/// Turns spans into what people look up: path, line and column; the lines of a file are counted once.
struct SourceLocator {
    private let sources: SourceSet
    /// By the file that a person sees, however many literals were derived from it.
    private var tables: [SourceID: LineTable] = [:]

    init(sources: SourceSet) {
        self.sources = sources
    }

    /// Where a span is in the file that a person edits.
    struct Place {
        let path: String
        let start: SourceLocation
        /// Behind the last character.
        let end: SourceLocation
        /// Of the first byte, in the bytes of the line table.
        let offset: Int
        let table: LineTable
    }

    /// Nil for what has no source, such as predeclared types.
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

    /// The bytes of a span as the parser saw them.
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
