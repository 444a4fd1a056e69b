/// An operation and its variables, ready to be written, checked and read in one store, which it keeps alive.
///
/// Equal queries and variables give the same object while it is in use, mutations and subscriptions a new one each
/// time: their root fields are kept under a record of their own.
package final class BoundOperation: Sendable {
    /// What the compiler knew of it.
    package let artifact: GeneratedCode.OperationArtifact
    /// The variables to send: an object of those that were not left out.
    package let variables: JSONValue
    /// The store in which its names are numbers: what reading needs of it.
    let source: any RecordSource
    /// The record of the root fields; those of an answer are under `StagedResponse.root`, which differs for the events
    /// of a subscription.
    package let root: RecordID
    /// What `Data` holds.
    package var reader: BoundSelections { BoundSelections(plan: plans.read, use: OperationUse(self)) }
    /// Why the generated code cannot be used; nil if it can.
    package var failure: ResponseError? { plans.write.failure ?? plans.read.failure }
    /// Why it is not sent; nil for nearly every operation.
    package let refusal: RelayError?

    let plans: BoundPlans
    let key: OperationKey

    init(
        artifact: GeneratedCode.OperationArtifact, variables: JSONValue, root: RecordID, key: OperationKey,
        source: any RecordSource, plans: BoundPlans, refusal: RelayError? = nil
    ) {
        self.artifact = artifact
        self.variables = variables
        self.root = root
        self.key = key
        self.source = source
        self.plans = plans
        self.refusal = refusal
    }
}

/// Keeps an operation in use, for the many references that come out of one read.
///
/// Weak references point at the operation itself, so that its references are counted in a second piece of memory, which
/// takes three times as long; at this there are none (benchmark `fragments.vs-foundation`).
package final class OperationUse: Sendable {
    let operation: BoundOperation
    /// That of the operation, and what tells this from others, without a look at it.
    let source: any RecordSource
    let key: ObjectIdentifier

    init(_ operation: BoundOperation) {
        self.operation = operation
        source = operation.source
        key = ObjectIdentifier(operation)
    }
}

/// What the store itself keeps of an operation: everything but the store.
final class BoundPlans: Sendable {
    let write: BoundPlan
    let read: BoundPlan
    private let values: VariableValues
    private let names: NameTable
    /// The plans of the fragments that were read through this operation, where they depend on its variables.
    private let fragments = Guarded<[ObjectIdentifier: BoundPlan]>([:])

    init(_ artifact: GeneratedCode.OperationArtifact, variables: JSONValue, _ names: NameTable) {
        var declared: [SelectionPlan.Variable] = []
        if case .success(let plan) = artifact.normalization.plan { declared = plan.variables }
        values = VariableValues(sent: variables, declared: declared)
        write = BoundPlan.bind(
            artifact.normalization.plan, values, artifact.scalars, names, role: .normalization, component: artifact.name
        )
        read = BoundPlan.bind(
            artifact.reader.plan, values, artifact.scalars, names, role: .reader, component: artifact.name)
        self.names = names
    }

    /// The plan of a fragment with this operation's variables.
    func plan(of artifact: GeneratedCode.FragmentArtifact) -> BoundPlan {
        let key = ObjectIdentifier(artifact)
        if let known = fragments.withLock({ $0[key] }) { return known }
        let plan = BoundPlan.bind(
            artifact.reader.plan, values, artifact.scalars, names, role: .reader, component: artifact.name)
        return fragments.withLock { fragments in
            if let known = fragments[key] { return known }
            fragments[key] = plan
            return plan
        }
    }
}

/// A fragment, ready to be read at one record.
package struct BoundFragment: Sendable {
    /// The operation through which the record was reached, whose variables count.
    package var owner: BoundOperation { selections.owner }
    /// The record to read.
    package let record: RecordID
    /// What to read of it.
    package let selections: BoundSelections
}
