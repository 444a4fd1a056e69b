extension Store {
    /// Lets updates write values of any type from now on, so that tests can check how readers show such values.
    package func acceptValuesOfAnyType() { names.withSpelling { $0.checksTypes = false } }
}
