import BatonDiagnostics

extension DiagnosticID {
    package static let renamedMember = DiagnosticID(rawValue: "renamed-member")
    package static let renamedType = DiagnosticID(rawValue: "renamed-type")
    package static let unmappedScalar = DiagnosticID(rawValue: "unmapped-scalar")

    /// Every id of code generation.
    package static let codegenIDs: [DiagnosticID] = [.renamedMember, .renamedType, .unmappedScalar]

    /// Those of code generation that are warnings: all.
    package static let codegenWarningIDs: [DiagnosticID] = codegenIDs
}
