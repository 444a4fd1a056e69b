import BatonIR

/// An operation after all transforms.
package struct CompiledOperation: Sendable {
    package let operation: Operation
    package let reader: SelectionPlan
    package let normalization: SelectionPlan
    package let text: OperationText
    /// The contents of an answer, for the Swift type of the whole response; nil without `@raw_response_type`.
    package let rawResponse: SelectionPlan?
}
