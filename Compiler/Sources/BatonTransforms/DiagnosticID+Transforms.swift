import BatonDiagnostics

extension DiagnosticID {
    package static let differentNullability = DiagnosticID(rawValue: "different-nullability")
    package static let emptyOperation = DiagnosticID(rawValue: "empty-operation")
    package static let ignoredDirective = DiagnosticID(rawValue: "ignored-directive")
    package static let invalidAlias = DiagnosticID(rawValue: "invalid-alias")
    package static let invalidConnection = DiagnosticID(rawValue: "invalid-connection")
    package static let invalidFieldMutation = DiagnosticID(rawValue: "invalid-field-mutation")
    package static let invalidIncrement = DiagnosticID(rawValue: "invalid-increment")
    package static let invalidNoInline = DiagnosticID(rawValue: "invalid-no-inline")
    package static let invalidUpdatable = DiagnosticID(rawValue: "invalid-updatable")
    package static let invalidTypePolicy = DiagnosticID(rawValue: "invalid-type-policy")
    package static let invalidMask = DiagnosticID(rawValue: "invalid-mask")
    package static let invalidRequired = DiagnosticID(rawValue: "invalid-required")
    package static let missingIdentity = DiagnosticID(rawValue: "missing-identity")
    package static let needlessRequired = DiagnosticID(rawValue: "needless-required")
    package static let notRefetchable = DiagnosticID(rawValue: "not-refetchable")
    package static let nothingToSend = DiagnosticID(rawValue: "nothing-to-send")
    package static let nullArgument = DiagnosticID(rawValue: "null-argument")
    package static let nullCondition = DiagnosticID(rawValue: "null-condition")
    package static let refusedDirective = DiagnosticID(rawValue: "refused-directive")
    package static let selectionDepth = DiagnosticID(rawValue: "selection-depth")
    package static let selectionSize = DiagnosticID(rawValue: "selection-size")
    package static let staticArgument = DiagnosticID(rawValue: "static-argument")
    package static let uncaughtField = DiagnosticID(rawValue: "uncaught-field")
    package static let undeclaredDirective = DiagnosticID(rawValue: "undeclared-directive")
    package static let unusableProvider = DiagnosticID(rawValue: "unusable-provider")
    package static let unsupportedDirective = DiagnosticID(rawValue: "unsupported-directive")
    package static let unsupportedField = DiagnosticID(rawValue: "unsupported-field")

    /// All ids of this module.
    package static let transformsIDs: [DiagnosticID] = [
        .differentNullability, .emptyOperation, .ignoredDirective, .invalidAlias, .invalidConnection,
        .invalidFieldMutation, .invalidIncrement, .invalidMask, .invalidNoInline, .invalidRequired, .invalidTypePolicy,
        .invalidUpdatable, .missingIdentity, .needlessRequired, .notRefetchable, .nothingToSend, .nullArgument,
        .nullCondition, .refusedDirective, .selectionDepth, .selectionSize, .staticArgument, .uncaughtField,
        .undeclaredDirective, .unsupportedDirective, .unsupportedField, .unusableProvider,
    ]

    /// The ids that this module reports as warnings, always or in some cases.
    package static let transformsWarningIDs: [DiagnosticID] = [
        .ignoredDirective, .invalidMask, .missingIdentity, .needlessRequired, .nullArgument, .undeclaredDirective,
    ]
}
