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
        let found = workers.map(files, weight: \.bytes.count) { $0.map(Contents.init) }
        var texts: [Text] = []
        for contents in found.joined() {
            switch contents {
            case .text(let file): texts.append(Text(source: file))
            case .swift(let file, let scanner):
                diagnostics += scanner.diagnostics
                for literal in scanner.literals { texts.append(text(of: literal, in: file, &sources)) }
            }
        }
        let limits = limits
        for part in workers.map(texts, weight: \.length, body: { $0.map { $0.parsed(limits) } }) {
            for (document, found) in part {
                documents.append(document)
                diagnostics += found
            }
        }
    }

    /// The text of a literal. A literal without escapes is a range of its file, so that its positions need no
    /// translation.
    private mutating func text(
        of literal: SwiftLiteral,
        in file: SourceFile,
        _ sources: inout SourceSet
    ) -> Text {
        guard literal.hasEscapes else { return Text(source: file, range: literal.content, isInSwift: true) }
        let (bytes, segments, found) = literal.value(in: file)
        diagnostics += found
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
            self = file.path.hasSuffix(".swift") ? .swift(file, SwiftScanner.scan(file)) : .text(file)
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
