/// The arguments that a spread passes to its fragment, with variables replaced by their values.
///
/// A literal null is not among them, because it is the same as no argument. The fragment may declare other arguments.
final class FragmentArguments: Sendable, Hashable {
    /// The values by name; nil for a variable that was left out.
    let values: [String: JSONValue?]
    /// The hash, which is computed once for all items of a list.
    private let hash: Int

    init(_ values: [String: JSONValue?]) {
        self.values = values
        hash = values.hashValue
    }

    /// Returns true if the same values are passed.
    static func == (left: FragmentArguments, right: FragmentArguments) -> Bool {
        left === right || left.hash == right.hash && left.values == right.values
    }

    /// Hashes the values.
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension BoundPlan {
    /// Binds the reader plan of a fragment, given the operation's variables and the arguments of the spread.
    static func bind(
        _ artifact: GeneratedCode.FragmentArtifact, _ variables: VariableValues, _ arguments: FragmentArguments?,
        _ names: NameTable
    ) -> BoundPlan {
        var inner = variables
        if case .success(let plan) = artifact.reader.plan {
            inner = variables.inFragment(declaring: plan.variables, arguments)
        }
        return bind(
            artifact.reader.plan, inner, artifact.scalars, names, role: .reader, component: artifact.name,
            on: artifact.typeCondition, arguments: arguments)
    }
}
