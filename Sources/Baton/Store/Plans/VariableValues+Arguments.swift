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
