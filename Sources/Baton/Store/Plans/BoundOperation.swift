/// An operation with its variables, ready to be written, checked and read in one store. It does not keep the store of
/// an environment alive.
///
/// Calls of the same query with equal variables share one object as long as it is in use. Each call of a mutation and
/// each event of a subscription gets an object of its own, because its root fields are kept under a record of their
/// own.
package final class BoundOperation: Sendable {
    /// The generated artifact of the operation.
    package let artifact: GeneratedCode.OperationArtifact
    /// The variables to send: an object of the variables that were not left out.
    package let variables: JSONValue
    /// The identity of the store that interned the operation's names.
    let home: RecordHome
    /// The store, if it has no environment; it then lives as long as its operations.
    let kept: (any RecordSource)?
    /// The store; nil if its environment is gone.
    var source: (any RecordSource)? { kept ?? home.owner?.source }
    /// The store's numbers.
    var names: NameTable { plans.names }
    /// The record of the root fields.
    package let root: RecordID
    /// The selections that `Data` is read from.
    package var reader: BoundSelections {
        BoundSelections(plan: plans.read, use: OperationUse(self, reading: plans.read))
    }
    /// The reason why the generated code cannot be used; nil if it can.
    package var failure: RelayError.InvalidResponse? { plans.write.failure ?? plans.read.failure }
    /// The reason why the operation must not be sent; nil for nearly every operation.
    package let refusal: RelayError?

    let plans: BoundPlans
    let key: OperationKey
    /// The identity that equal operations share, as long as one of them is in use or retained.
    var identity: ObjectIdentifier { ObjectIdentifier(plans) }

    init(
        artifact: GeneratedCode.OperationArtifact, variables: JSONValue, root: RecordID, key: OperationKey,
        home: RecordHome, kept: (any RecordSource)?, plans: BoundPlans, refusal: RelayError? = nil
    ) {
        self.artifact = artifact
        self.variables = variables
        self.root = root
        self.key = key
        self.home = home
        self.kept = kept
        self.plans = plans
        self.refusal = refusal
    }
}
