/// Keeps an operation in use for the many fragment references that one read returns, with what its spreads pass.
///
/// Weak references point at the operation itself, so its reference count lies in a separate piece of memory, and
/// counting takes three times as long. No weak reference points at this object (benchmark `fragments.vs-foundation`).
package final class OperationUse: Sendable {
    let operation: BoundOperation
    /// The home of the operation's records, and an identity of the operation. Both can be read without access to the
    /// operation.
    let home: RecordHome
    let identity: ObjectIdentifier
    /// For a reference: what the spread passes to the fragment; nil if it passes nothing.
    let arguments: FragmentArguments?
    /// For a read: the uses of the references of those spreads that pass something, by the position of the item in the
    /// plan. A plan without such spreads may be read with a use that was made for another plan.
    let spreads: [Int: OperationUse]

    init(_ operation: BoundOperation, passing arguments: FragmentArguments? = nil) {
        self.operation = operation
        home = operation.home
        identity = operation.identity
        self.arguments = arguments
        spreads = [:]
    }

    /// Makes the use for a read, in which all references of a spread share theirs.
    init(_ operation: BoundOperation, reading plan: BoundPlan) {
        self.operation = operation
        home = operation.home
        identity = operation.identity
        arguments = nil
        spreads = plan.passed.isEmpty ? [:] : plan.passed.mapValues { OperationUse(operation, passing: $0) }
    }

    /// Returns the use for a read of the fragment of a reference. The arguments of the fragment are not visible in the
    /// fragments that it spreads, so that the use has none.
    func reading(_ plan: BoundPlan) -> OperationUse {
        plan.passed.isEmpty && arguments == nil ? self : OperationUse(operation, reading: plan)
    }
}
