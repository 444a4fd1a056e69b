extension ValidationRule {
    /// All rules: first those of section 5 of the specification in its order, then the others. At each place, and at
    /// each step of `Validator`, rules run in this order. Each rule is declared in the file of its name, above its
    /// code.
    static let all: [ValidationRule] =
        documents + operations + fields + arguments + fragments + values + directives
        + variables + beyond

    private static let documents: [ValidationRule] = [.executableDefinitions]

    private static let operations: [ValidationRule] = [
        .operationTypeExistence, .operationNameUniqueness, .loneAnonymousOperation, .subscriptionSingleRootField,
    ]

    private static let fields: [ValidationRule] = [.fieldSelections, .fieldSelectionMerging, .leafFieldSelections]

    private static let arguments: [ValidationRule] = [.argumentNames, .argumentUniqueness, .requiredArguments]

    private static let fragments: [ValidationRule] = [
        .fragmentNameUniqueness, .fragmentSpreadTypeExistence, .fragmentsOnObjectInterfaceOrUnionTypes,
        .fragmentsMustBeUsed, .fragmentSpreadTargetDefined, .fragmentSpreadsMustNotFormCycles,
        .fragmentSpreadIsPossible,
    ]

    private static let values: [ValidationRule] = [
        .valuesOfCorrectType, .inputObjectFieldNames, .inputObjectFieldUniqueness, .inputObjectRequiredFields,
    ]

    private static let directives: [ValidationRule] = [
        .directivesAreDefined, .directivesAreInValidLocations, .directivesAreUniquePerLocation,
    ]

    private static let variables: [ValidationRule] = [
        .variableUniqueness, .variablesAreInputTypes, .allVariableUsesDefined, .allVariablesUsed,
        .allVariableUsagesAreAllowed,
    ]

    private static let beyond: [ValidationRule] = [
        .deprecatedUsage, .streamOnListFields, .deferAndStreamPlacement, .deferAndStreamLabels, .fragmentArguments,
        .variablesOfFragments,
    ]
}
