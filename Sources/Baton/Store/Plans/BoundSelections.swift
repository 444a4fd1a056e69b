/// A plan together with the operation to whose variables it was bound.
package struct BoundSelections: Sendable {
    let plan: BoundPlan
    let use: OperationUse
    var owner: BoundOperation { use.operation }
    /// For a fragment reference: the last collection that took a record with this number away before the reference was
    /// made. If a later collection has taken that number, the number now belongs to another record.
    var collection: UInt32?
}
