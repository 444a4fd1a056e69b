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

/// Parses files into documents: one for a `.graphql` file, one for each literal of a `.swift` file, whose names are checked.
package struct DocumentLoader {
    package private(set) var documents: [LoadedDocument] = []
    /// In the order in which it was found.
    package private(set) var diagnostics: [Diagnostic] = []
    private let limits: ParserLimits

    package init(limits: ParserLimits = ParserLimits()) {
        self.limits = limits
    }

    /// Takes a text in that is in no set of sources yet.
    package mutating func load(_ bytes: [UInt8], path: String, into sources: inout SourceSet) {
        load(sources.add(path: path, bytes: bytes), into: &sources)
    }

    /// Takes a file in; positions in diagnostics name the file whatever it holds.
    package mutating func load(_ file: SourceFile, into sources: inout SourceSet) {
        guard let rule = NamingRule(path: file.path) else {
            add(Parser.parseDocument(file, limits: limits), from: file, isInSwift: false)
            return
        }
        let scanner = SwiftScanner.scan(file)
        diagnostics += scanner.diagnostics
        for literal in scanner.literals {
            load(literal, in: file, into: &sources)
            if let document = documents.last?.document { diagnostics += rule.check(document) }
        }
    }

    /// A literal without escapes is parsed where it stands, so that no position needs a translation.
    private mutating func load(_ literal: SwiftLiteral, in file: SourceFile, into sources: inout SourceSet) {
        guard literal.hasEscapes else {
            add(Parser.parseDocument(file, range: literal.content, limits: limits), from: file, isInSwift: true)
            return
        }
        let (bytes, segments, found) = literal.value(in: file)
        diagnostics += found
        let text = sources.add(
            path: file.path,
            bytes: bytes,
            derivation: SourceFile.Derivation(original: file, segments: segments)
        )
        add(Parser.parseDocument(text, limits: limits), from: text, isInSwift: true)
    }

    private mutating func add(
        _ parsed: (document: Document, diagnostics: [Diagnostic]),
        from source: SourceFile,
        isInSwift: Bool
    ) {
        diagnostics += parsed.diagnostics
        documents.append(LoadedDocument(document: parsed.document, source: source, isInSwift: isInSwift))
    }
}
