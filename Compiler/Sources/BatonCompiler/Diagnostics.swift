import BatonDiagnostics

extension DiagnosticID {
    // Configuration
    package static let configurationType = DiagnosticID(rawValue: "configuration-type")
    package static let invalidJSON = DiagnosticID(rawValue: "invalid-json")
    package static let unknownKey = DiagnosticID(rawValue: "unknown-key")
    package static let unknownScalar = DiagnosticID(rawValue: "unknown-scalar")

    // Documents
    package static let definitionName = DiagnosticID(rawValue: "definition-name")
    package static let fileNotFound = DiagnosticID(rawValue: "file-not-found")
    package static let fileNotReadable = DiagnosticID(rawValue: "file-not-readable")
    package static let graphQLLiteral = DiagnosticID(rawValue: "graphql-literal")
    package static let operationName = DiagnosticID(rawValue: "operation-name")
    package static let reservedAlias = DiagnosticID(rawValue: "reserved-alias")
    package static let unexpectedDefinition = DiagnosticID(rawValue: "unexpected-definition")

    /// Every id of this module.
    package static let compilerIDs: [DiagnosticID] = [
        .configurationType, .definitionName, .fileNotFound, .fileNotReadable, .graphQLLiteral, .invalidJSON,
        .operationName,
        .reservedAlias, .unexpectedDefinition, .unknownKey, .unknownScalar,
    ]
}
