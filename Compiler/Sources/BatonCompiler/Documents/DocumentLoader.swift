import BatonDiagnostics
import BatonSyntax

/// A parsed text with operations and fragments.
package struct LoadedDocument: Sendable {
    package let document: Document
    package let source: SourceFile
    package let isInSwift: Bool

    package init(document: Document, source: SourceFile, isInSwift: Bool) {
        self.document = document
        self.source = source
        self.isInSwift = isInSwift
    }
}

/// Parses files into documents: one for each `.graphql` file, and one for each literal of a `.swift` file.
///
/// All workers scan Swift files and parse texts in parallel. Between these steps, the values of literals with escapes
/// become sources one after the other, so that their ids do not depend on the number of workers.
package struct DocumentLoader {
    private let limits: ParserLimits
    private let workers: Workers
    package private(set) var documents: [LoadedDocument] = []
    /// The diagnostics in the order in which they were found.
    package private(set) var diagnostics: [Diagnostic] = []

    package init(limits: ParserLimits = ParserLimits(), workers: Workers = .all) {
        self.limits = limits
        self.workers = workers
    }

    /// Loads files. A diagnostic in a Swift literal has its position in the Swift file.
    package mutating func load(_ files: [SourceFile], into sources: inout SourceSet) {
        var known: KnownTexts?
        load(files, into: &sources, known: &known)
    }

    /// Loads files. Those that are known are not parsed again; afterwards, these files are known, if any are kept.
    package mutating func load(_ files: [SourceFile], into sources: inout SourceSet, known: inout KnownTexts?) {
        var loaded = files.map { known?.entry(of: $0, self.limits) }
        let unknown = loaded.indices.filter { loaded[$0] == nil }
        let found = workers.map(
            unknown, weight: { files[$0].bytes.count }, body: { $0.map { Contents(files[$0]) } })
        var texts: [(index: Int, text: Text)] = []
        for (index, contents) in zip(unknown, found.joined()) {
            var entry = KnownTexts.Entry(file: files[index])
            switch contents {
            case .text(let file): texts.append((index, Text(source: file)))
            case .swift(let file, let scanner):
                entry.diagnostics = scanner.diagnostics
                for literal in scanner.literals {
                    texts.append((index, text(of: literal, in: file, &sources, &entry)))
                }
            }
            loaded[index] = entry
        }
        let limits = limits
        let parsed = workers.map(texts, weight: \.text.length) { $0.map { $0.text.parsed(limits) } }
        for ((index, _), (document, found)) in zip(texts, parsed.joined()) {
            loaded[index]?.documents.append(document)
            loaded[index]?.diagnostics += found
        }
        for entry in loaded.lazy.compactMap(\.self) {
            documents += entry.documents
            diagnostics += entry.diagnostics
        }
        if known != nil { known = KnownTexts(loaded.compactMap(\.self), limits) }
    }

    /// The text of a literal. A literal without escapes is a range of its file, so that its positions need no
    /// translation.
    private func text(
        of literal: SwiftLiteral,
        in file: SourceFile,
        _ sources: inout SourceSet,
        _ entry: inout KnownTexts.Entry
    ) -> Text {
        guard literal.hasEscapes else { return Text(source: file, range: literal.content, isInSwift: true) }
        let (bytes, segments, found) = literal.value(in: file)
        entry.diagnostics += found
        entry.hasOwnSources = true
        let text = sources.add(
            path: file.path,
            bytes: bytes,
            derivation: SourceFile.Derivation(original: file, segments: segments)
        )
        return Text(source: text, isInSwift: true)
    }

    /// The contents of a file; the kind follows from the file's name.
    private enum Contents: Sendable {
        case text(SourceFile)
        case swift(SourceFile, SwiftScanner)

        init(_ file: SourceFile) {
            self = FileFinder.isSwift(file.path) ? .swift(file, SwiftScanner.scan(file)) : .text(file)
        }
    }

    /// A text that is parsed as one document.
    private struct Text: Sendable {
        let source: SourceFile
        /// The part of the source to parse, or nil for the whole source.
        var range: Range<Int>?
        var isInSwift = false

        var length: Int { range?.count ?? source.bytes.count }

        func parsed(_ limits: ParserLimits) -> (document: LoadedDocument, diagnostics: [Diagnostic]) {
            let (document, found) = Parser.parseDocument(source, range: range, limits: limits)
            let loaded = LoadedDocument(document: document, source: source, isInSwift: isInSwift)
            return (loaded, found)
        }
    }
}
