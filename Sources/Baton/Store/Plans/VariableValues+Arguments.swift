extension VariableValues {
    /// Returns the arguments that a spread passes to its fragment; nil if it passes none.
    func passed(_ arguments: [SelectionPlan.Argument]) -> FragmentArguments? {
        var values: [String: JSONValue?] = [:]
        for argument in arguments where !isLiteralNull(argument.value) {
            values.updateValue(resolve(argument.value), forKey: argument.name)
        }
        return values.isEmpty ? nil : FragmentArguments(values)
    }

    /// Returns the values that variables have in a fragment: the values of the operation's variables and of the
    /// fragment's arguments.
    ///
    /// An argument that the fragment declares hides a variable of the same name. If the spread passes nothing or a
    /// literal null, the argument has its default value; without a default it is a literal null. A variable that is
    /// null or left out is passed as it is, because the compiler replaces the argument by the variable.
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
