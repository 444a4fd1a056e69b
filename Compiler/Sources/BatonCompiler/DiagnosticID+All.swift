import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation

extension DiagnosticID {
    /// Every id that there is, each once, sorted by name.
    package static let all: [DiagnosticID] = sorted(
        syntaxIDs + schemaIDs + validationIDs + transformsIDs + codegenIDs + compilerIDs
    )

    /// Every id whose diagnostics are warnings, always or in some places; their level can be chosen.
    package static let warnings: [DiagnosticID] = sorted(
        syntaxWarningIDs + schemaWarningIDs + validationWarningIDs + transformsWarningIDs + codegenWarningIDs
            + compilerWarningIDs
    )

    /// What a name that a person wrote for a warning stands for.
    package enum WarningName: Hashable, Sendable {
        case found(DiagnosticID)
        /// It exists, but is no warning anywhere.
        case alwaysError
        /// With a question such as "did you mean 'deprecated'?".
        case unknown(question: String?)
    }

    /// Looks for a warning of this name, or for ids with a similar one.
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
