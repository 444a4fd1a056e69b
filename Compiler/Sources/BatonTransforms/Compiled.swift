import BatonIR

/// An operation after all transforms.
package struct CompiledOperation: Sendable {
    package let operation: Operation
    package let reader: SelectionPlan
    package let normalization: SelectionPlan
    package let text: OperationText
}

/// A fragment after all transforms.
package struct CompiledFragment: Sendable {
    package let fragment: Fragment
    package let reader: SelectionPlan
}
