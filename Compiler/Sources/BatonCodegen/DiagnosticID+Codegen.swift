import BatonDiagnostics

extension DiagnosticID {
    package static let moduleSize = DiagnosticID(rawValue: "module-size")
    package static let renamedMember = DiagnosticID(rawValue: "renamed-member")
    package static let renamedType = DiagnosticID(rawValue: "renamed-type")
    package static let unmappedScalar = DiagnosticID(rawValue: "unmapped-scalar")

    /// All ids of this module.
    package static let codegenIDs: [DiagnosticID] = [.moduleSize, .renamedMember, .renamedType, .unmappedScalar]

    /// The ids that this module reports as warnings, always or in some cases.
    package static let codegenWarningIDs: [DiagnosticID] = [.moduleSize, .renamedMember, .renamedType, .unmappedScalar]
}
