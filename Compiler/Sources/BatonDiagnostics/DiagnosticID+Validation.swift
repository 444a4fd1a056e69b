extension DiagnosticID {
    package static let anonymousOperation = DiagnosticID(rawValue: "anonymous-operation")
    package static let conflictingFields = DiagnosticID(rawValue: "conflicting-fields")
    package static let deprecated = DiagnosticID(rawValue: "deprecated")
    package static let duplicateFragment = DiagnosticID(rawValue: "duplicate-fragment")
    package static let duplicateInputField = DiagnosticID(rawValue: "duplicate-input-field")
    package static let duplicateLabel = DiagnosticID(rawValue: "duplicate-label")
    package static let duplicateOperation = DiagnosticID(rawValue: "duplicate-operation")
    package static let duplicateVariable = DiagnosticID(rawValue: "duplicate-variable")
    package static let fragmentCycle = DiagnosticID(rawValue: "fragment-cycle")
    package static let fragmentLimit = DiagnosticID(rawValue: "fragment-limit")
    package static let impossibleSpread = DiagnosticID(rawValue: "impossible-spread")
    package static let incompatibleVariable = DiagnosticID(rawValue: "incompatible-variable")
    package static let invalidFragmentType = DiagnosticID(rawValue: "invalid-fragment-type")
    package static let invalidValue = DiagnosticID(rawValue: "invalid-value")
    package static let invalidVariableType = DiagnosticID(rawValue: "invalid-variable-type")
    package static let mergingLimit = DiagnosticID(rawValue: "merging-limit")
    package static let misplacedDirective = DiagnosticID(rawValue: "misplaced-directive")
    package static let missingArgument = DiagnosticID(rawValue: "missing-argument")
    package static let missingInputField = DiagnosticID(rawValue: "missing-input-field")
    package static let missingRootType = DiagnosticID(rawValue: "missing-root-type")
    package static let missingSelection = DiagnosticID(rawValue: "missing-selection")
    package static let oneOfField = DiagnosticID(rawValue: "one-of-field")
    package static let providedArgument = DiagnosticID(rawValue: "provided-argument")
    package static let subscriptionRoot = DiagnosticID(rawValue: "subscription-root")
    package static let typeSystemInDocument = DiagnosticID(rawValue: "type-system-in-document")
    package static let unexpectedSelection = DiagnosticID(rawValue: "unexpected-selection")
    package static let unknownArgument = DiagnosticID(rawValue: "unknown-argument")
    package static let unknownEnumValue = DiagnosticID(rawValue: "unknown-enum-value")
    package static let unknownField = DiagnosticID(rawValue: "unknown-field")
    package static let unknownFragment = DiagnosticID(rawValue: "unknown-fragment")
    package static let unknownInputField = DiagnosticID(rawValue: "unknown-input-field")
    package static let unknownVariable = DiagnosticID(rawValue: "unknown-variable")
    package static let unusedFragment = DiagnosticID(rawValue: "unused-fragment")
    package static let unusedFragmentArgument = DiagnosticID(rawValue: "unused-fragment-argument")
    package static let unusedVariable = DiagnosticID(rawValue: "unused-variable")

    /// Every id of the validator that is not also the schema's.
    package static let validationIDs: [DiagnosticID] = [
        .anonymousOperation,
        .conflictingFields,
        .deprecated,
        .duplicateFragment,
        .duplicateInputField,
        .duplicateLabel,
        .duplicateOperation,
        .duplicateVariable,
        .fragmentCycle,
        .fragmentLimit,
        .impossibleSpread,
        .incompatibleVariable,
        .invalidFragmentType,
        .invalidValue,
        .invalidVariableType,
        .mergingLimit,
        .misplacedDirective,
        .missingArgument,
        .missingInputField,
        .missingRootType,
        .missingSelection,
        .oneOfField,
        .providedArgument,
        .subscriptionRoot,
        .typeSystemInDocument,
        .unexpectedSelection,
        .unknownArgument,
        .unknownEnumValue,
        .unknownField,
        .unknownFragment,
        .unknownInputField,
        .unknownVariable,
        .unusedFragment,
        .unusedFragmentArgument,
        .unusedVariable,
    ]

    /// Those of the validator that are warnings, always or in some places.
    package static let validationWarningIDs: [DiagnosticID] = [
        .conflictingFields, .deprecated, .misplacedDirective, .unusedFragment, .unusedFragmentArgument,
    ]
}
