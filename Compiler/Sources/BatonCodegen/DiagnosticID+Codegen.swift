import BatonDiagnostics

extension DiagnosticID {
    package static let renamedMember = DiagnosticID(rawValue: "renamed-member")
    package static let renamedType = DiagnosticID(rawValue: "renamed-type")
    package static let unmappedScalar = DiagnosticID(rawValue: "unmapped-scalar")

    /// Every id that this module declares.
    package static let codegenIDs: [DiagnosticID] = [.renamedMember, .renamedType, .unmappedScalar]

    /// Those that this module reports as warnings, always or in some places.
    package static let codegenWarningIDs: [DiagnosticID] = [.renamedMember, .renamedType, .unmappedScalar]
}
