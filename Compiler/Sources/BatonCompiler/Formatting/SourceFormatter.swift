import BatonDiagnostics
import BatonSyntax

/// Formats files: whole `.graphql` files, and the documents in Swift files.
///
/// In Swift, the content of a literal in `graphql(_:)` over several lines is formatted, with the indentation of its
/// closing delimiter. A literal with escapes or an interpolation, or on one line, stays as it is.
package struct SourceFormatter: Sendable {
    package typealias Outcome = DocumentFormatter.Outcome

    private let formatter: DocumentFormatter

    package init(limits: ParserLimits = ParserLimits()) {
        formatter = DocumentFormatter(limits: limits)
    }

    /// The edits that format a file, whose kind follows from its path. A file with a syntax error has no edits.
    ///
    /// `edits.touching(_:)` of the result are those that format a range of the file.
    package func format(_ file: SourceFile) -> Outcome {
        guard FileFinder.isSwift(file.path) else { return formatter.format(file) }
        let scanner = SwiftScanner.scan(file)
        var outcome = Outcome()
        outcome.diagnostics = scanner.diagnostics.filter { $0.id == .swiftUnterminated }
        for literal in scanner.literals where literal.isMultiline && !literal.hasEscapes {
            let formatted = formatter.format(file, literal: literal.content)
            outcome.edits += formatted.edits
            outcome.diagnostics += formatted.diagnostics
        }
        if !outcome.diagnostics.isEmpty { outcome.edits = [] }
        return outcome
    }
}
