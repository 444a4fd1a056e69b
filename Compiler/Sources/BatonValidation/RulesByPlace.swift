import BatonSyntax

/// The checks of all rules by what they look at, in the order of the table. Made once, so that a visit asks only those
/// that want to know. Benchmark: `validate.`
struct RulesByPlace: Sendable {
    typealias Step = @Sendable (Traversal) -> Void

    private(set) var definition: [ValidationRule.Look<Definition>] = []
    private(set) var typeCondition: [ValidationRule.Look<TypeCondition>] = []
    private(set) var collected: [Step] = []
    private(set) var operation: [ValidationRule.Look<OperationDefinition>] = []
    private(set) var variable: [ValidationRule.Look<VariableDefinition>] = []
    private(set) var field: [ValidationRule.Look<SelectedField>] = []
    private(set) var arguments: [ValidationRule.Look<GivenArguments>] = []
    private(set) var value: [ValidationRule.Look<ExpectedValue>] = []
    private(set) var inputObject: [ValidationRule.Look<GivenInputObject>] = []
    private(set) var spread: [ValidationRule.Look<TargetedSpread>] = []
    private(set) var applied: [ValidationRule.Look<AppliedFragment>] = []
    private(set) var directives: [ValidationRule.Look<[Directive]>] = []
    private(set) var directive: [ValidationRule.Look<PlacedDirective>] = []
    private(set) var fragmentArguments: [ValidationRule.Look<PlacedDirective>] = []
    private(set) var deprecated: [ValidationRule.Look<DeprecatedElement>] = []
    private(set) var visited: [Step] = []
    private(set) var variableUse: [ValidationRule.Look<VariableUse>] = []
    private(set) var variablesOfOperation: [ValidationRule.Look<FollowedOperation>] = []
    private(set) var followed: [Step] = []

    static let all = RulesByPlace(ValidationRule.all)

    private init(_ rules: [ValidationRule]) {
        for check in rules.flatMap(\.checks) {
            switch check {
            case .definition(let look): definition.append(look)
            case .typeCondition(let look): typeCondition.append(look)
            case .collected(let step): collected.append(step)
            case .operation(let look): operation.append(look)
            case .variable(let look): variable.append(look)
            case .field(let look): field.append(look)
            case .arguments(let look): arguments.append(look)
            case .value(let look): value.append(look)
            case .inputObject(let look): inputObject.append(look)
            case .spread(let look): spread.append(look)
            case .applied(let look): applied.append(look)
            case .directives(let look): directives.append(look)
            case .directive(let look): directive.append(look)
            case .fragmentArguments(let look): fragmentArguments.append(look)
            case .deprecated(let look): deprecated.append(look)
            case .visited(let step): visited.append(step)
            case .variableUse(let look): variableUse.append(look)
            case .variablesOfOperation(let look): variablesOfOperation.append(look)
            case .followed(let step): followed.append(step)
            }
        }
    }
}

extension Traversal {
    /// Asks rules about a place.
    func ask<Place>(_ rules: [ValidationRule.Look<Place>], _ place: Place) {
        for look in rules { look(self, place) }
    }
}
