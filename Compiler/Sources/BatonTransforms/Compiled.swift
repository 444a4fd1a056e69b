import BatonIR

/// An operation after all transforms.
package struct CompiledOperation: Sendable {
    package let operation: Operation
    package let reader: SelectionPlan
    package let normalization: SelectionPlan
    package let text: OperationText
    /// What an answer holds, for the Swift type of the whole response; nil without `@raw_response_type`.
    package let rawResponse: SelectionPlan?
}

/// A fragment after all transforms.
package struct CompiledFragment: Sendable {
    package let fragment: Fragment
    package let reader: SelectionPlan
    /// How it is fetched again; nil without `@refetchable`.
    package let refetch: RefetchMetadata?
}

/// An updatable query after all transforms.
package struct CompiledUpdatableQuery: Sendable {
    package let operation: Operation
    package let reader: SelectionPlan
}

extension Operation {
    /// Whether the operation is an updatable query, for which nothing is sent.
    package var isUpdatable: Bool { directives.named("updatable") != nil }
}

extension Fragment {
    /// Whether updates write the fragment's fields.
    package var isUpdatable: Bool { directives.named("updatable") != nil }
}
