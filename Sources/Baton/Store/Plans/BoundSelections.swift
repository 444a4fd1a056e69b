/// A plan together with the operation to whose variables it was bound.
package struct BoundSelections: Sendable {
    let plan: BoundPlan
    let use: OperationUse
    var owner: BoundOperation { use.operation }
    /// For a fragment reference, the last collection that had removed a record with this number when the reference was
    /// made. If a later collection has removed a record of that number, the number belongs to another record.
    var collection: UInt32?
}

/// A fragment, ready to be read at one record.
package struct BoundFragment: Sendable {
    /// The operation through which the record was reached. The fragment is read with its variables.
    package var owner: BoundOperation { selections.owner }
    /// The record to read.
    package let record: RecordID
    /// The selections to read.
    package let selections: BoundSelections
}
