import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation

extension DiagnosticID {
    /// All ids, each once, sorted by name.
    package static let all: [DiagnosticID] = sorted(
        syntaxIDs + schemaIDs + validationIDs + transformsIDs + codegenIDs + compilerIDs
    )

    /// All ids whose diagnostics are warnings, always or in some cases. The level of these ids can be chosen.
    package static let warnings: [DiagnosticID] = sorted(
        syntaxWarningIDs + schemaWarningIDs + validationWarningIDs + transformsWarningIDs + codegenWarningIDs
            + compilerWarningIDs
    )

    /// The result of looking up the name of a warning.
    package enum WarningName: Hashable, Sendable {
        case found(DiagnosticID)
        /// The id exists, but its diagnostics are always errors.
        case alwaysError
        /// There is no such id; the question is a text such as "did you mean 'deprecated'?".
        case unknown(question: String?)
    }

    /// Looks up the id of a warning by its name, or else a similar name.
    package static func findWarning(_ name: String) -> WarningName {
        let id = DiagnosticID(rawValue: name)
        if warnings.contains(id) { return .found(id) }
        if all.contains(id) { return .alwaysError }
        return .unknown(question: Spelling.question(for: name, among: warnings.map(\.rawValue)))
    }

    private static func sorted(_ ids: [DiagnosticID]) -> [DiagnosticID] {
        Set(ids).sorted { $0.rawValue < $1.rawValue }
    }
}
