import BatonCodegen
import BatonDiagnostics
import BatonTransforms

extension DiagnosticID {
    // Configuration
    package static let ageLimit = DiagnosticID(rawValue: "age-limit")
    package static let configurationFile = DiagnosticID(rawValue: "configuration-file")
    package static let configurationKey = DiagnosticID(rawValue: "configuration-key")
    package static let configurationSyntax = DiagnosticID(rawValue: "configuration-syntax")
    package static let configurationValue = DiagnosticID(rawValue: "configuration-value")
    package static let unknownScalar = DiagnosticID(rawValue: "unknown-scalar")

    // Files
    package static let artifactConflict = DiagnosticID(rawValue: "artifact-conflict")
    package static let artifactUnwritable = DiagnosticID(rawValue: "artifact-unwritable")
    package static let fileNotFound = DiagnosticID(rawValue: "file-not-found")
    package static let fileUnreadable = DiagnosticID(rawValue: "file-unreadable")
    package static let patternInvalid = DiagnosticID(rawValue: "pattern-invalid")
    package static let patternUnmatched = DiagnosticID(rawValue: "pattern-unmatched")

    // Swift sources
    package static let swiftArgument = DiagnosticID(rawValue: "swift-argument")
    package static let swiftEscape = DiagnosticID(rawValue: "swift-escape")
    package static let swiftInterpolation = DiagnosticID(rawValue: "swift-interpolation")
    package static let swiftUnterminated = DiagnosticID(rawValue: "swift-unterminated")

    // Schema
    package static let introspection = DiagnosticID(rawValue: "introspection")
    package static let introspectionDefect = DiagnosticID(rawValue: "introspection-defect")

    // Names
    package static let fragmentName = DiagnosticID(rawValue: "fragment-name")
    package static let fragmentNameCase = DiagnosticID(rawValue: "fragment-name-case")
    package static let operationName = DiagnosticID(rawValue: "operation-name")
    package static let reservedAlias = DiagnosticID(rawValue: "reserved-alias")

    // What is sent
    package static let refusedText = DiagnosticID(rawValue: "refused-text")

    /// Every id that is reported by this module itself.
    package static let compilerIDs: [DiagnosticID] = [
        .ageLimit, .configurationFile, .configurationKey, .configurationSyntax, .configurationValue, .artifactConflict,
        .artifactUnwritable, .fileNotFound, .fileUnreadable, .introspection, .introspectionDefect, .patternInvalid,
        .patternUnmatched,
        .swiftArgument,
        .swiftEscape,
        .swiftInterpolation, .swiftUnterminated, .fragmentName, .fragmentNameCase, .operationName, .refusedText,
        .reservedAlias,
        .unknownScalar,
    ]

    /// Those of this module that are warnings.
    package static let compilerWarningIDs: [DiagnosticID] = [
        .fragmentNameCase, .introspectionDefect, .patternUnmatched, .reservedAlias, .swiftArgument, .unknownScalar,
    ]

    // MARK: - All modules

    /// Every id that there is, each once, sorted by name.
    package static let all: [DiagnosticID] = sorted(
        syntaxIDs + schemaIDs + validationIDs + transformIDs + codegenIDs + compilerIDs
    )

    /// Every id whose diagnostics are warnings, always or in some places; their level can be chosen.
    package static let warnings: [DiagnosticID] = sorted(
        schemaWarningIDs + validationWarningIDs + codegenWarningIDs + compilerWarningIDs
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
