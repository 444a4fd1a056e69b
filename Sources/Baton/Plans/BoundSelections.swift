/// A plan together with the operation whose variables it was bound to.
package struct BoundSelections: Sendable {
    let plan: BoundPlan
    let use: OperationUse
    var owner: BoundOperation { use.operation }
    /// Of a fragment that was reached by a reference: the collection that had last taken a record with its number away.
    /// If a later one has, the number is that of another record.
    var collection: UInt32?
}
