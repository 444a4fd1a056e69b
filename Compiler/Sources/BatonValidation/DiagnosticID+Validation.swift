import BatonDiagnostics
import BatonSchema

extension DiagnosticID {
    package static let anonymousOperation = DiagnosticID(rawValue: "anonymous-operation")
    package static let conflictingFields = DiagnosticID(rawValue: "conflicting-fields")
    package static let deprecated = DiagnosticID(rawValue: "deprecated")
    package static let duplicateFragment = DiagnosticID(rawValue: "duplicate-fragment")
    package static let duplicateLabel = DiagnosticID(rawValue: "duplicate-label")
    package static let duplicateOperation = DiagnosticID(rawValue: "duplicate-operation")
    package static let duplicateVariable = DiagnosticID(rawValue: "duplicate-variable")
    package static let fragmentCycle = DiagnosticID(rawValue: "fragment-cycle")
    package static let fragmentLimit = DiagnosticID(rawValue: "fragment-limit")
    package static let impossibleSpread = DiagnosticID(rawValue: "impossible-spread")
    package static let incompatibleVariable = DiagnosticID(rawValue: "incompatible-variable")
    package static let invalidFragmentType = DiagnosticID(rawValue: "invalid-fragment-type")
    package static let invalidVariableType = DiagnosticID(rawValue: "invalid-variable-type")
    package static let mergingLimit = DiagnosticID(rawValue: "merging-limit")
    package static let missingRootType = DiagnosticID(rawValue: "missing-root-type")
    package static let missingSelection = DiagnosticID(rawValue: "missing-selection")
    package static let needlessSuppression = DiagnosticID(rawValue: "needless-suppression")
    package static let providedArgument = DiagnosticID(rawValue: "provided-argument")
    package static let subscriptionRoot = DiagnosticID(rawValue: "subscription-root")
    package static let typeSystemInDocument = DiagnosticID(rawValue: "type-system-in-document")
    package static let unexpectedSelection = DiagnosticID(rawValue: "unexpected-selection")
    package static let unknownField = DiagnosticID(rawValue: "unknown-field")
    package static let unknownFragment = DiagnosticID(rawValue: "unknown-fragment")
    package static let unknownVariable = DiagnosticID(rawValue: "unknown-variable")
    package static let unusedFragment = DiagnosticID(rawValue: "unused-fragment")
    package static let unusedFragmentArgument = DiagnosticID(rawValue: "unused-fragment-argument")
    package static let unusedVariable = DiagnosticID(rawValue: "unused-variable")

    /// All ids of this module.
    package static let validationIDs: [DiagnosticID] = [
        .anonymousOperation, .conflictingFields, .deprecated, .duplicateFragment, .duplicateLabel,
        .duplicateOperation, .duplicateVariable, .fragmentCycle, .fragmentLimit, .impossibleSpread,
        .incompatibleVariable, .invalidFragmentType, .invalidVariableType, .mergingLimit, .missingRootType,
        .missingSelection, .needlessSuppression, .providedArgument, .subscriptionRoot, .typeSystemInDocument,
        .unexpectedSelection, .unknownField, .unknownFragment, .unknownVariable, .unusedFragment,
        .unusedFragmentArgument, .unusedVariable,
    ]

    /// The ids that this module reports as warnings, always or in some cases.
    package static let validationWarningIDs: [DiagnosticID] = [
        .conflictingFields, .deprecated, .incompatibleVariable, .invalidValue, .misplacedDirective, .unknownArgument,
        .unusedFragment,
    ]
}
