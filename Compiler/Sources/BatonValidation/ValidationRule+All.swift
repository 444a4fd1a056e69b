extension ValidationRule {
    /// All rules: first those of section 5 of the specification in its order, then the others. At each place, and at
    /// each step of `Validator`, rules run in this order.
    static let all: [ValidationRule] =
        documents + operations + fields + arguments + fragments + values + directives
        + variables + beyond

    private static let documents: [ValidationRule] = [
        ValidationRule(.documents, "ExecutableDefinitions", .definition { $0.checkIsExecutable($1) })
    ]

    private static let operations: [ValidationRule] = [
        ValidationRule(.operations, "OperationTypeExistence", .operation { $0.checkOperationType($1) }),
        ValidationRule(.operations, "OperationNameUniqueness", .collected { $0.checkOperationNameUniqueness() }),
        ValidationRule(.operations, "LoneAnonymousOperation", .operation { $0.checkHasName($1) }),
        ValidationRule(.operations, "SubscriptionSingleRootField", .followed { $0.checkSubscriptionRoots() }),
    ]

    private static let fields: [ValidationRule] = [
        ValidationRule(.fields, "FieldSelections", .field { $0.checkFieldIsDefined($1, on: $2, $3) }),
        ValidationRule(.fields, "FieldSelectionMerging", .followed { $0.checkFieldsMerge() }),
        ValidationRule(.fields, "LeafFieldSelections", .field { $0.checkLeafSelection($1, definition: $3) }),
    ]

    private static let arguments: [ValidationRule] = [
        ValidationRule(.arguments, "ArgumentNames", .arguments { $0.checkArgumentNames($1) }),
        ValidationRule(.arguments, "ArgumentUniqueness", .arguments { $0.checkArgumentUniqueness($1.arguments) }),
        ValidationRule(.arguments, "RequiredArguments", .arguments { $0.checkRequiredArguments($1) }),
    ]

    private static let fragments: [ValidationRule] = [
        ValidationRule(.fragments, "FragmentNameUniqueness", .collected { $0.checkFragmentNameUniqueness() }),
        ValidationRule(.fragments, "FragmentSpreadTypeExistence", .typeCondition { $0.checkTypeExists($1, $2) }),
        ValidationRule(
            .fragments, "FragmentsOnObjectInterfaceOrUnionTypes", .typeCondition { $0.checkIsComposite($1, $2) }),
        ValidationRule(.fragments, "FragmentsMustBeUsed", .followed { $0.checkFragmentsUsed() }),
        ValidationRule(
            .fragments, "FragmentSpreadTargetDefined",
            .spread { $0.noteUnknownTarget(of: $1, target: $2) }, .followed { $0.reportUnknownSpreads() }),
        ValidationRule(.fragments, "FragmentSpreadsMustNotFormCycles", .visited { $0.checkFragmentCycles() }),
        ValidationRule(
            .fragments, "FragmentSpreadIsPossible",
            .applied { $0.checkSpreadIsPossible($1, on: $2, name: $3, at: $4) }),
    ]

    private static let values: [ValidationRule] = [
        ValidationRule(.values, "ValuesOfCorrectType", .value { $0.checkValue($1) }),
        ValidationRule(.values, "InputObjectFieldNames", .inputObject { $0.checkInputFieldNames($1) }),
        ValidationRule(.values, "InputObjectFieldUniqueness", .inputObject { $0.checkInputFieldUniqueness($1.object) }),
        ValidationRule(.values, "InputObjectRequiredFields", .inputObject { $0.checkRequiredInputFields($1) }),
    ]

    private static let directives: [ValidationRule] = [
        ValidationRule(.directives, "DirectivesAreDefined", .directive { $0.checkDirectiveIsDefined($1) }),
        ValidationRule(.directives, "DirectivesAreInValidLocations", .directive { $0.checkDirectiveLocation($1) }),
        ValidationRule(.directives, "DirectivesAreUniquePerLocation", .directives { $0.checkDirectivesAreUnique($1) }),
    ]

    private static let variables: [ValidationRule] = [
        ValidationRule(.variables, "VariableUniqueness", .operation { $0.checkVariableUniqueness($1) }),
        ValidationRule(.variables, "VariablesAreInputTypes", .variable { $0.checkIsInputType($1) }),
        ValidationRule(.variables, "AllVariableUsesDefined", .variableUse { $0.checkUseIsDefined($1) }),
        ValidationRule(.variables, "AllVariablesUsed", .variablesOfOperation { $0.checkVariablesUsed($1) }),
        ValidationRule(.variables, "AllVariableUsagesAreAllowed", .variableUse { $0.checkUsageIsAllowed($1) }),
    ]

    private static let beyond: [ValidationRule] = [
        ValidationRule(.deprecation, "DeprecatedUsage", .deprecated { $0.reportDeprecated($1) }),
        ValidationRule(
            .incrementalDelivery, "StreamOnListFields", .field { $0.checkStreamIsOnList($1, definition: $3) }),
        ValidationRule(
            .incrementalDelivery, "DeferAndStreamPlacement", .followed { $0.checkDeferAndStreamPlacement() }),
        ValidationRule(
            .incrementalDelivery, "DeferAndStreamLabels",
            .directive { $0.noteLabel($1) }, .followed { $0.checkLabelUniqueness() }),
        ValidationRule(
            .relay, "FragmentArguments",
            .spread { $0.checkRequiredFragmentArguments($1, target: $2) },
            .value { $0.checkLocalUse($1) },
            .spread { traversal, spread, _ in traversal.checkOneDirectivePassesArguments(spread) },
            .fragmentArguments { $0.checkFragmentArguments($1.directive, target: $1.target, isAlone: $1.passesAlone) },
            .followed { $0.checkFragmentArgumentsUsed() },
            .followed { $0.reportUnknownFragmentArguments() }),
        ValidationRule(
            .relay, "VariablesOfFragments", .followed { $0.checkVariablesOfFragments() }),
    ]
}
