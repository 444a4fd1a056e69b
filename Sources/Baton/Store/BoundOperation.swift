/// An operation and its variables, ready to be written, checked and read in one store.
///
/// Equal queries and variables give the same object while it is in use, mutations and subscriptions a new one each time: their root fields
/// are kept under a record of their own. It does not keep the store alive, and outlives it without harm.
package final class BoundOperation: Sendable {
    package let artifact: GeneratedCode.OperationArtifact
    /// The variables to send: an object of those that were not left out.
    package let variables: JSONValue
    /// The record of the root fields; those of an answer are under `StagedResponse.root`, which differs for the events of a subscription.
    package let root: RecordID
    /// What `Data` holds.
    package var reader: BoundSelections { BoundSelections(plan: readPlan, owner: self) }
    /// Why the generated code cannot be used; nil if it can.
    package var failure: ResponseError? { writePlan.failure ?? readPlan.failure }

    let names: NameTable
    let values: VariableValues
    let writePlan: BoundPlan
    let readPlan: BoundPlan
    let key: OperationKey
    /// The plans of the fragments that were read through this operation, where they depend on its variables.
    private let fragments = Guarded<[ObjectIdentifier: BoundPlan]>([:])

    init(
        artifact: GeneratedCode.OperationArtifact, variables: JSONValue, values: VariableValues, root: RecordID,
        key: OperationKey, names: NameTable, plans: (write: BoundPlan, read: BoundPlan)
    ) {
        self.artifact = artifact
        self.variables = variables
        self.values = values
        self.root = root
        self.key = key
        self.names = names
        writePlan = plans.write
        readPlan = plans.read
    }

    /// The plan of a fragment with this operation's variables.
    func plan(of artifact: GeneratedCode.FragmentArtifact) -> BoundPlan {
        let key = ObjectIdentifier(artifact)
        if let known = fragments.withLock({ $0[key] }) { return known }
        let plan = BoundPlan.bind(artifact.reader.plan, values, artifact.scalars, names)
        return fragments.withLock { fragments in
            if let known = fragments[key] { return known }
            fragments[key] = plan
            return plan
        }
    }
}

/// What makes two bound operations the same.
struct OperationKey: Hashable, Sendable {
    let artifact: ObjectIdentifier
    let variables: JSONValue
    /// 0 for queries; tells mutations and subscriptions apart.
    let call: UInt64
}

/// A fragment, ready to be read at one record.
package struct BoundFragment: Sendable {
    package let owner: BoundOperation
    package let record: RecordID
    package let selections: BoundSelections
}
