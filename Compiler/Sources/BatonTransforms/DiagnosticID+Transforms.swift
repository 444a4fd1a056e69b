import BatonDiagnostics

extension DiagnosticID {
    package static let differentNullability = DiagnosticID(rawValue: "different-nullability")
    package static let invalidAlias = DiagnosticID(rawValue: "invalid-alias")
    package static let invalidConnection = DiagnosticID(rawValue: "invalid-connection")
    package static let notRefetchable = DiagnosticID(rawValue: "not-refetchable")
    package static let nullCondition = DiagnosticID(rawValue: "null-condition")
    package static let selectionDepth = DiagnosticID(rawValue: "selection-depth")
    package static let selectionSize = DiagnosticID(rawValue: "selection-size")
    package static let unmaskedArguments = DiagnosticID(rawValue: "unmasked-arguments")
    package static let unsupportedDirective = DiagnosticID(rawValue: "unsupported-directive")
    package static let unsupportedField = DiagnosticID(rawValue: "unsupported-field")

    /// All ids of this module.
    package static let transformsIDs: [DiagnosticID] = [
        .differentNullability, .invalidAlias, .invalidConnection, .notRefetchable, .nullCondition, .selectionDepth,
        .selectionSize,
        .unmaskedArguments,
        .unsupportedDirective, .unsupportedField,
    ]

    /// The ids that this module reports as warnings, always or in some cases.
    package static let transformsWarningIDs: [DiagnosticID] = []
}
