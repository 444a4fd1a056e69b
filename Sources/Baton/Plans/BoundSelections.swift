/// A plan together with the operation whose variables it was bound to.
package struct BoundSelections: Sendable {
    let plan: BoundPlan
    let use: OperationUse
    var owner: BoundOperation { use.operation }
    /// Of a fragment that was reached by a reference: the generation that its record must have, or it is another
    /// record.
    var generation: UInt32?
}
