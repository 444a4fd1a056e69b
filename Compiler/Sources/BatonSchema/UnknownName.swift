import BatonDiagnostics
import BatonSyntax

extension Diagnostic {
    /// A diagnostic about an unknown name. It asks whether one of `names` was meant, nearest first. If the meaning is
    /// certain, the diagnostic has a fix.
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
