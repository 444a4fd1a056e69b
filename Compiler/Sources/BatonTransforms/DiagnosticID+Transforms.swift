import BatonDiagnostics

extension DiagnosticID {
    package static let selectionDepth = DiagnosticID(rawValue: "selection-depth")
    package static let selectionSize = DiagnosticID(rawValue: "selection-size")
    package static let unsupportedDirective = DiagnosticID(rawValue: "unsupported-directive")
    package static let unsupportedField = DiagnosticID(rawValue: "unsupported-field")

    /// Every id that this module declares.
    package static let transformsIDs: [DiagnosticID] = [
        .selectionDepth, .selectionSize, .unsupportedDirective, .unsupportedField,
    ]

    /// Those that this module reports as warnings, always or in some places.
    package static let transformsWarningIDs: [DiagnosticID] = []
}
