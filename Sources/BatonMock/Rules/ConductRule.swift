import Baton
import BatonTesting

/// What goes wrong with the operations that a rule is about.
struct ConductRule: Sendable, Equatable {
    /// The names of the operations; a star at the end stands for any ending. Empty for all operations.
    var operations: [String] = []
    var kind: OperationKind?
    /// Values that the variables must have.
    var variables: [JSONValue.Member] = []
    /// Of the operations that fit, every one with this number.
    var every = 1
    /// The number of operations after which the rule has no effect any more.
    var times: Int?
    var conduct = Conduct()

    /// Whether the rule is about an operation.
    func fits(_ call: GraphQLCall, _ operation: World.ServedOperation?) -> Bool {
        guard kind == nil || kind == operation?.kind else { return false }
        guard variables.allSatisfy({ call.variables[$0.name] == $0.value }) else { return false }
        guard !operations.isEmpty else { return true }
        guard let name = operation?.name ?? call.operationName else { return false }
        return operations.contains { pattern in
            pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
        }
    }
}
