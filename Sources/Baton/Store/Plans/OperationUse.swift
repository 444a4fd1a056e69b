/// Keeps an operation in use for the fragment references that one read returns, together with the arguments of spreads.
///
/// Weak references point at the operation itself. Its reference count therefore lies in a separate piece of memory, and
/// counting takes three times as long. No weak reference points at this object (benchmark `fragments.vs-foundation`).
package final class OperationUse: Sendable {
    let operation: BoundOperation
    /// The home of the operation's records, and an identity of the operation. Both can be read without access to the
    /// operation.
    let home: RecordHome
    let identity: ObjectIdentifier
    /// For a reference: the arguments that the spread passes to the fragment; nil if it passes none.
    let arguments: FragmentArguments?
    /// For a read: the uses for the references of spreads with arguments, by the position of the spread in the plan. A
    /// plan without such spreads may be read with a use that was made for another plan.
    let spreads: [Int: OperationUse]

    init(_ operation: BoundOperation, passing arguments: FragmentArguments? = nil) {
        self.operation = operation
        home = operation.home
        identity = operation.identity
        self.arguments = arguments
        spreads = [:]
    }

    /// Makes the use for a read, in which all references of a spread share one use.
    init(_ operation: BoundOperation, reading plan: BoundPlan) {
        self.operation = operation
        home = operation.home
        identity = operation.identity
        arguments = nil
        spreads = plan.passed.isEmpty ? [:] : plan.passed.mapValues { OperationUse(operation, passing: $0) }
    }

    /// Returns the use for a read of the fragment of a reference. The new use has no arguments, because the fragments
    /// that this fragment spreads do not see them.
    func reading(_ plan: BoundPlan) -> OperationUse {
        plan.passed.isEmpty && arguments == nil ? self : OperationUse(operation, reading: plan)
    }
}
