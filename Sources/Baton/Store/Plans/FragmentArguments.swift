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

extension VariableValues {
    /// Returns what a spread passes to its fragment; nil if it passes nothing.
    func passed(_ arguments: [SelectionPlan.Argument]) -> FragmentArguments? {
        var values: [String: JSONValue?] = [:]
        for argument in arguments where !isLiteralNull(argument.value) {
            values.updateValue(resolve(argument.value), forKey: argument.name)
        }
        return values.isEmpty ? nil : FragmentArguments(values)
    }

    /// Returns the values of the variables in a fragment; these are the values of the operation's variables.
    ///
    /// An argument that the fragment declares hides a variable of its name. Where nothing or a literal null is passed,
    /// its value is the default, and without one a literal null. A variable that is null or left out is passed as it
    /// is, because the compiler puts the variable in the place of the argument.
    func inFragment(declaring declared: [SelectionPlan.Variable], _ passed: FragmentArguments?) -> VariableValues {
        var inner = self
        for argument in declared {
            if let given = passed?.values[argument.name] {
                inner.set(argument.name, given)
            } else if let value = argument.defaultValue, value != .null {
                inner.set(argument.name, value)
            } else {
                inner.setLiteralNull(argument.name)
            }
        }
        return inner
    }
}

extension BoundPlan {
    /// Binds the reader plan of a fragment, given the operation's variables and what the spread passes.
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
            arguments: arguments)
    }
}
