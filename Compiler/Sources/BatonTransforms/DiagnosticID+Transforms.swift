import BatonDiagnostics

extension DiagnosticID {
    package static let selectionDepth = DiagnosticID(rawValue: "selection-depth")
    package static let selectionSize = DiagnosticID(rawValue: "selection-size")
    package static let unsupportedDirective = DiagnosticID(rawValue: "unsupported-directive")
    package static let unsupportedField = DiagnosticID(rawValue: "unsupported-field")

    /// All ids of this module.
    package static let transformsIDs: [DiagnosticID] = [
        .selectionDepth, .selectionSize, .unsupportedDirective, .unsupportedField,
    ]

    /// The ids that this module reports as warnings, always or in some cases.
    package static let transformsWarningIDs: [DiagnosticID] = []
}
