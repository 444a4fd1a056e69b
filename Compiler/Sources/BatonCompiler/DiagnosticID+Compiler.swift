import BatonDiagnostics
import BatonSyntax

extension DiagnosticID {
    // Configuration
    package static let ageLimit = DiagnosticID(rawValue: "age-limit")
    package static let configurationFile = DiagnosticID(rawValue: "configuration-file")
    package static let configurationKey = DiagnosticID(rawValue: "configuration-key")
    package static let configurationSyntax = DiagnosticID(rawValue: "configuration-syntax")
    package static let configurationValue = DiagnosticID(rawValue: "configuration-value")
    package static let unknownCustomName = DiagnosticID(rawValue: "unknown-custom-name")
    package static let unknownProvider = DiagnosticID(rawValue: "unknown-provider")
    package static let unknownScalar = DiagnosticID(rawValue: "unknown-scalar")
    package static let unstored = DiagnosticID(rawValue: "unstored")

    // Files
    package static let artifactConflict = DiagnosticID(rawValue: "artifact-conflict")
    package static let artifactKept = DiagnosticID(rawValue: "artifact-kept")
    package static let artifactUnwritable = DiagnosticID(rawValue: "artifact-unwritable")
    package static let fileNotFound = DiagnosticID(rawValue: "file-not-found")
    package static let fileUnreadable = DiagnosticID(rawValue: "file-unreadable")
    package static let patternInvalid = DiagnosticID(rawValue: "pattern-invalid")
    package static let patternUnmatched = DiagnosticID(rawValue: "pattern-unmatched")

    // Swift sources
    package static let swiftArgument = DiagnosticID(rawValue: "swift-argument")
    package static let swiftEscape = DiagnosticID(rawValue: "swift-escape")
    package static let swiftInterpolation = DiagnosticID(rawValue: "swift-interpolation")
    package static let swiftUnread = DiagnosticID(rawValue: "swift-unread")
    package static let swiftUnterminated = DiagnosticID(rawValue: "swift-unterminated")

    // Schema
    package static let introspection = DiagnosticID(rawValue: "introspection")
    package static let introspectionDefect = DiagnosticID(rawValue: "introspection-defect")

    // Names
    package static let fragmentName = DiagnosticID(rawValue: "fragment-name")
    package static let fragmentNameCase = DiagnosticID(rawValue: "fragment-name-case")
    package static let operationName = DiagnosticID(rawValue: "operation-name")
    package static let reservedAlias = DiagnosticID(rawValue: "reserved-alias")
    package static let rootTypename = DiagnosticID(rawValue: "root-typename")

    // Texts of requests
    package static let refusedText = DiagnosticID(rawValue: "refused-text")

    /// All ids of this module.
    package static let compilerIDs: [DiagnosticID] = [
        .ageLimit, .configurationFile, .configurationKey, .configurationSyntax, .configurationValue, .unknownCustomName,
        .unknownProvider,
        .unknownScalar, .unstored,
        .artifactConflict, .artifactKept, .artifactUnwritable, .fileNotFound, .fileUnreadable, .patternInvalid,
        .patternUnmatched, .swiftArgument, .swiftEscape, .swiftInterpolation, .swiftUnread, .swiftUnterminated,
        .introspection, .introspectionDefect,
        .fragmentName, .fragmentNameCase, .operationName, .reservedAlias, .rootTypename, .refusedText,
    ]

    /// The ids that this module reports as warnings, always or in some cases.
    package static let compilerWarningIDs: [DiagnosticID] = [
        .artifactKept, .fragmentNameCase, .introspectionDefect, .patternUnmatched, .reservedAlias, .reservedName,
        .rootTypename, .swiftArgument, .swiftUnread, .unknownCustomName, .unknownProvider, .unknownScalar,
    ]
}
