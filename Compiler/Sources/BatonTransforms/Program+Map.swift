import BatonIR

extension Program {
    func mapSelections(_ transform: ([TypedSelection]) -> [TypedSelection]) -> Program {
        mapDefinitions { transform($1) }
    }

    /// Transforms the selections of each operation and fragment, which has the given name.
    func mapDefinitions(_ transform: (String, [TypedSelection]) -> [TypedSelection]) -> Program {
        Program(
            schema: schema,
            operations: operations.map { operation in
                var operation = operation
                operation.selections = transform(operation.name, operation.selections)
                return operation
            },
            fragments: fragments.map { fragment in
                var fragment = fragment
                fragment.selections = transform(fragment.name, fragment.selections)
                return fragment
            }
        )
    }
}
