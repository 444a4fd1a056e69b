import BatonIR

/// The text of a request as selections: an operation and the fragments that it reaches.
package struct OperationText: Sendable {
    package let operation: Operation
    /// The used variables in declaration order, followed by the variables with values from providers.
    package let variables: [OperationVariable]
    package let selections: [TextSelection]
    /// The fragments in the byte order of their names.
    package let fragments: [FragmentText]

    /// Whether the server is asked for nothing, so that there is no text.
    package var isEmpty: Bool { selections.isEmpty }
}
