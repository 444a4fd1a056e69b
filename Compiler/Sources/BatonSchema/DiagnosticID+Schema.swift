import BatonDiagnostics
import BatonSyntax

extension DiagnosticID {
    // Definitions
    package static let defaultCycle = DiagnosticID(rawValue: "default-cycle")
    package static let directiveCycle = DiagnosticID(rawValue: "directive-cycle")
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

    // Mistakes in directives and values, which documents can have too
    package static let duplicateInputField = DiagnosticID(rawValue: "duplicate-input-field")
    package static let invalidValue = DiagnosticID(rawValue: "invalid-value")
    package static let misplacedDirective = DiagnosticID(rawValue: "misplaced-directive")
    package static let missingArgument = DiagnosticID(rawValue: "missing-argument")
    package static let missingInputField = DiagnosticID(rawValue: "missing-input-field")
    package static let oneOfField = DiagnosticID(rawValue: "one-of-field")
    package static let unknownArgument = DiagnosticID(rawValue: "unknown-argument")
    package static let unknownEnumValue = DiagnosticID(rawValue: "unknown-enum-value")
    package static let unknownInputField = DiagnosticID(rawValue: "unknown-input-field")

    // Defects of real schemas that harm no client; always warnings
    package static let deprecatedRequired = DiagnosticID(rawValue: "deprecated-required")
    package static let interfaceDeprecation = DiagnosticID(rawValue: "interface-deprecation")
    package static let interfaceMismatch = DiagnosticID(rawValue: "interface-mismatch")
    package static let repeatedField = DiagnosticID(rawValue: "repeated-field")
    package static let semanticLevel = DiagnosticID(rawValue: "semantic-level")
    package static let stringEnumDefault = DiagnosticID(rawValue: "string-enum-default")
    package static let unknownSchemaDirective = DiagnosticID(rawValue: "unknown-schema-directive")

    /// All ids of this module.
    package static let schemaIDs: [DiagnosticID] = [
        .defaultCycle, .directiveCycle, .duplicateArgument, .duplicateDefinition, .duplicateDirective,
        .duplicateEnumValue, .duplicateField, .duplicateInterface, .duplicateMember, .emptyType,
        .executableInSchema, .extensionKind, .inputCycle, .interfaceArgument, .interfaceCycle, .invalidInterface,
        .invalidMember, .invalidRootType, .missingInterface, .missingInterfaceField, .missingQueryType,
        .notInputType, .notOutputType, .oneOfDefinition, .typeNesting, .unknownDirective, .unknownType,
        .duplicateInputField, .invalidValue, .misplacedDirective, .missingArgument, .missingInputField, .oneOfField,
        .unknownArgument, .unknownEnumValue, .unknownInputField, .deprecatedRequired, .interfaceDeprecation,
        .interfaceMismatch, .repeatedField, .semanticLevel, .stringEnumDefault, .unknownSchemaDirective,
    ]

    /// The ids that this module reports as warnings: always, in some cases, or by a project's choice.
    package static let schemaWarningIDs = toleratedSchemaIDs + lowerableSchemaIDs

    /// The ids that are always warnings, because real schemas have these mistakes.
    package static let toleratedSchemaIDs: [DiagnosticID] = [
        .deprecatedRequired, .interfaceDeprecation, .interfaceMismatch, .repeatedField, .semanticLevel,
        .stringEnumDefault, .unknownSchemaDirective,
    ]

    /// The errors that a project may lower to warnings, because a client that does not select the part takes no harm.
    /// `reservedName` may be lowered only for names of the schema.
    package static let lowerableSchemaIDs: [DiagnosticID] = [.missingInterface, .missingInterfaceField, .reservedName]
}
