extension DiagnosticID {
    package static let directiveCycle = DiagnosticID(rawValue: "directive-cycle")
    package static let defaultCycle = DiagnosticID(rawValue: "default-cycle")
    package static let duplicateArgument = DiagnosticID(rawValue: "duplicate-argument")
    package static let duplicateDefinition = DiagnosticID(rawValue: "duplicate-definition")
    package static let duplicateDirective = DiagnosticID(rawValue: "duplicate-directive")
    package static let duplicateEnumValue = DiagnosticID(rawValue: "duplicate-enum-value")
    package static let duplicateField = DiagnosticID(rawValue: "duplicate-field")
    package static let duplicateInterface = DiagnosticID(rawValue: "duplicate-interface")
    package static let duplicateMember = DiagnosticID(rawValue: "duplicate-member")
    package static let emptyType = DiagnosticID(rawValue: "empty-type")
    package static let executableInSchema = DiagnosticID(rawValue: "executable-in-schema")
    package static let extensionKind = DiagnosticID(rawValue: "extension-kind")
    package static let inputCycle = DiagnosticID(rawValue: "input-cycle")
    package static let interfaceArgument = DiagnosticID(rawValue: "interface-argument")
    package static let interfaceCycle = DiagnosticID(rawValue: "interface-cycle")
    package static let invalidInterface = DiagnosticID(rawValue: "invalid-interface")
    package static let invalidMember = DiagnosticID(rawValue: "invalid-member")
    package static let invalidRootType = DiagnosticID(rawValue: "invalid-root-type")
    package static let missingInterface = DiagnosticID(rawValue: "missing-interface")
    package static let missingInterfaceField = DiagnosticID(rawValue: "missing-interface-field")
    package static let missingQueryType = DiagnosticID(rawValue: "missing-query-type")
    package static let notInputType = DiagnosticID(rawValue: "not-input-type")
    package static let notOutputType = DiagnosticID(rawValue: "not-output-type")
    package static let oneOfDefinition = DiagnosticID(rawValue: "one-of-definition")
    package static let typeNesting = DiagnosticID(rawValue: "type-nesting")
    package static let unknownDirective = DiagnosticID(rawValue: "unknown-directive")
    package static let unknownType = DiagnosticID(rawValue: "unknown-type")

    // Defects of real schemas that harm no client, always warnings
    package static let deprecatedRequired = DiagnosticID(rawValue: "deprecated-required")
    package static let interfaceDeprecation = DiagnosticID(rawValue: "interface-deprecation")
    package static let interfaceMismatch = DiagnosticID(rawValue: "interface-mismatch")
    package static let repeatedField = DiagnosticID(rawValue: "repeated-field")
    package static let stringEnumDefault = DiagnosticID(rawValue: "string-enum-default")
    package static let unknownSchemaDirective = DiagnosticID(rawValue: "unknown-schema-directive")

    /// Every id of the schema; some of them are also the validator's.
    package static let schemaIDs: [DiagnosticID] =
        [
            .directiveCycle, .defaultCycle, .duplicateArgument, .duplicateDefinition, .duplicateDirective,
            .duplicateEnumValue, .duplicateField, .duplicateInterface, .duplicateMember, .emptyType,
            .executableInSchema,
            .extensionKind, .inputCycle, .interfaceArgument, .interfaceCycle, .invalidInterface, .invalidMember,
            .invalidRootType, .missingInterface, .missingInterfaceField, .missingQueryType, .notInputType,
            .notOutputType,
            .oneOfDefinition, .typeNesting, .unknownDirective, .unknownType,
        ] + toleratedSchemaIDs

    /// What is wrong in real schemas and tolerated in all of them: the ids that are always warnings.
    package static let toleratedSchemaIDs: [DiagnosticID] = [
        .deprecatedRequired, .interfaceDeprecation, .interfaceMismatch, .repeatedField, .stringEnumDefault,
        .unknownSchemaDirective,
    ]

    /// What harms no client that selects nothing of it: errors that a project may lower to warnings. The last one is an
    /// error that stays one wherever it is not about a name of the schema.
    package static let lowerableSchemaIDs: [DiagnosticID] = [.missingInterface, .missingInterfaceField, .reservedName]

    /// Those of the schema that are warnings, always, in some places or by choice.
    package static let schemaWarningIDs = toleratedSchemaIDs + lowerableSchemaIDs
}
