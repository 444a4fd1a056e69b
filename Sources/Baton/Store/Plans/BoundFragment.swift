/// A fragment, ready to be read at one record.
package struct BoundFragment: Sendable {
    /// The operation through which the record was reached. The fragment is read with its variables.
    package var owner: BoundOperation { selections.owner }
    /// The record to read.
    package let record: RecordID
    /// The selections to read.
    package let selections: BoundSelections
}
