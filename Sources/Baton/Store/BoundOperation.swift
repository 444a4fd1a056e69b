/// An operation and its variables, ready to be written, checked and read in one store.
///
/// Equal operations and variables give the same object while it is in use, mutations and subscriptions a new one each time: their root fields
/// are kept under a record of their own.
package final class BoundOperation: Sendable {
    package let artifact: GeneratedCode.OperationArtifact
    /// The variables to send: an object of those that were not left out.
    package let variables: JSONValue
    package let store: Store
    /// The record of the root fields; those of a subscription's event are under `StagedResponse.root`.
    package let root: RecordID
    package let reader: BoundSelections
    init() { fatalError() }
}

/// A fragment, ready to be read at one record.
package struct BoundFragment: Sendable {
    package let owner: BoundOperation
    package let record: RecordID
    package let selections: BoundSelections
}

/// The variables that hold for a selection set.
package final class VariableScope: Sendable {
    package unowned let owner: BoundOperation
    init() { fatalError() }
}
