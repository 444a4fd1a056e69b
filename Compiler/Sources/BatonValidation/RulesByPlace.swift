/// The checks of all rules by the kind of place, in the order of the table. This value is computed once, so that a
/// visit only calls the rules for its place.
///
/// The arrays hold values of `Check` and not functions, because a function in an array is called through a thunk.
/// Benchmark: `validate.one-core-ms`
struct RulesByPlace: Sendable {
    typealias Checks = [ValidationRule.Check]

    private(set) var definition: Checks = []
    private(set) var typeCondition: Checks = []
    private(set) var collected: Checks = []
    private(set) var operation: Checks = []
    private(set) var variable: Checks = []
    private(set) var field: Checks = []
    private(set) var arguments: Checks = []
    private(set) var value: Checks = []
    private(set) var inputObject: Checks = []
    private(set) var spread: Checks = []
    private(set) var applied: Checks = []
    private(set) var directives: Checks = []
    private(set) var directive: Checks = []
    private(set) var fragmentArguments: Checks = []
    private(set) var deprecated: Checks = []
    private(set) var visited: Checks = []
    private(set) var variableUse: Checks = []
    private(set) var variablesOfOperation: Checks = []
    private(set) var followed: Checks = []

    static let all = RulesByPlace(ValidationRule.all)

    private init(_ rules: [ValidationRule]) {
        for check in rules.flatMap(\.checks) {
            switch check {
            case .definition: definition.append(check)
            case .typeCondition: typeCondition.append(check)
            case .collected: collected.append(check)
            case .operation: operation.append(check)
            case .variable: variable.append(check)
            case .field: field.append(check)
            case .arguments: arguments.append(check)
            case .value: value.append(check)
            case .inputObject: inputObject.append(check)
            case .spread: spread.append(check)
            case .applied: applied.append(check)
            case .directives: directives.append(check)
            case .directive: directive.append(check)
            case .fragmentArguments: fragmentArguments.append(check)
            case .deprecated: deprecated.append(check)
            case .visited: visited.append(check)
            case .variableUse: variableUse.append(check)
            case .variablesOfOperation: variablesOfOperation.append(check)
            case .followed: followed.append(check)
            }
        }
    }
}
