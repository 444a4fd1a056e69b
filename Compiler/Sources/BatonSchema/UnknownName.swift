import BatonDiagnostics
import BatonSyntax

extension Diagnostic {
    /// Says that a name is unknown, with a question about those that were probably meant, nearest first, and the change
    /// if it is certain which.
    package static func unknown(
        _ id: DiagnosticID,
        _ message: String,
        _ name: Name,
        sign: String = "",
        notes: [Note] = [],
        meant names: [String]
    ) -> Diagnostic {
        Diagnostic(
            id,
            message,
            at: name.span,
            notes: notes,
            suggestion: Spelling.question(naming: names.map { sign + $0 }),
            fix: Spelling.certain(for: name.text, among: names).map { Fix(sign + $0, at: name.span) }
        )
    }
}
