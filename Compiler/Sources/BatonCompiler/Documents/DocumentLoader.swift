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

/// Parses files into documents: one for a `.graphql` file, one for each literal of a `.swift` file.
package struct DocumentLoader {
    package private(set) var documents: [LoadedDocument] = []
    package private(set) var diagnostics: [Diagnostic] = []

    package init() {}

    /// Takes a file in; positions in diagnostics name the file whatever it holds.
    package mutating func load(_ bytes: [UInt8], path: String, into sources: inout SourceSet) {
        if path.hasSuffix(".swift") {
            loadSwift(bytes, path: path, into: &sources)
        } else {
            let source = sources.add(path: path, bytes: bytes)
            let parsed = Parser.parseDocument(source)
            diagnostics += parsed.diagnostics
            documents.append(LoadedDocument(document: parsed.document, source: source, isInSwift: false))
        }
    }

    private mutating func loadSwift(_ bytes: [UInt8], path: String, into sources: inout SourceSet) {
        let scanned = SwiftScanner.scan(bytes)
        if !scanned.problems.isEmpty {
            let source = sources.add(path: path, bytes: bytes)
            diagnostics += scanned.problems.map { problem in
                let span = Span(
                    source: source.id,
                    start: UInt32(truncatingIfNeeded: problem.range.lowerBound),
                    end: UInt32(truncatingIfNeeded: problem.range.upperBound)
                )
                return Diagnostic(.graphQLLiteral, problem.message, at: span)
            }
        }
        let rule = NamingRule(path: path)
        for literal in scanned.literals {
            let end = SourceFile.Derivation.Segment(derived: literal.text.count, original: literal.range.upperBound)
            let source = sources.add(
                path: path,
                bytes: literal.text,
                derivation: .init(original: bytes, segments: literal.segments + [end])
            )
            let parsed = Parser.parseDocument(source)
            diagnostics += parsed.diagnostics + rule.check(parsed.document)
            documents.append(LoadedDocument(document: parsed.document, source: source, isInSwift: true))
        }
    }
}
