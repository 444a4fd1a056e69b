import BatonDiagnostics

extension DiagnosticID {
    // Configuration
    package static let configurationFile = DiagnosticID(rawValue: "configuration-file")
    package static let configurationKey = DiagnosticID(rawValue: "configuration-key")
    package static let configurationSyntax = DiagnosticID(rawValue: "configuration-syntax")
    package static let configurationValue = DiagnosticID(rawValue: "configuration-value")

    // Files
    package static let artifactConflict = DiagnosticID(rawValue: "artifact-conflict")
    package static let artifactUnwritable = DiagnosticID(rawValue: "artifact-unwritable")
    package static let fileNotFound = DiagnosticID(rawValue: "file-not-found")
    package static let fileUnreadable = DiagnosticID(rawValue: "file-unreadable")
    package static let patternInvalid = DiagnosticID(rawValue: "pattern-invalid")
    package static let patternUnmatched = DiagnosticID(rawValue: "pattern-unmatched")

    // Swift sources
    package static let swiftEscape = DiagnosticID(rawValue: "swift-escape")
    package static let swiftInterpolation = DiagnosticID(rawValue: "swift-interpolation")
    package static let swiftUnterminated = DiagnosticID(rawValue: "swift-unterminated")

    // Schema
    package static let introspection = DiagnosticID(rawValue: "introspection")

    // Names
    package static let fragmentName = DiagnosticID(rawValue: "fragment-name")
    package static let fragmentNameCase = DiagnosticID(rawValue: "fragment-name-case")
    package static let operationName = DiagnosticID(rawValue: "operation-name")
    package static let reservedAlias = DiagnosticID(rawValue: "reserved-alias")

    /// Every id that is reported by this module itself.
    package static let compilerIDs: [DiagnosticID] = [
        .configurationFile, .configurationKey, .configurationSyntax, .configurationValue, .artifactConflict,
        .artifactUnwritable, .fileNotFound, .fileUnreadable, .introspection, .patternInvalid, .patternUnmatched,
        .swiftEscape,
        .swiftInterpolation, .swiftUnterminated, .fragmentName, .fragmentNameCase, .operationName, .reservedAlias,
    ]
}
