/// An operation with its variables, ready to be written, checked and read in one store. It does not keep the store of
/// an environment.
///
/// Calls of the same query with equal variables share one object as long as it is in use. Each call of a mutation and
/// each event of a subscription gets an object of its own, because its root fields are kept under a record of their
/// own.
package final class BoundOperation: Sendable {
    /// The generated artifact of the operation.
    package let artifact: GeneratedCode.OperationArtifact
    /// The variables to send: an object of the variables that were not left out.
    package let variables: JSONValue
    /// What is known of the store that interned the operation's names.
    let home: RecordHome
    /// The store, if it has no environment and lives as long as its operations.
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
    package var failure: ResponseError? { plans.write.failure ?? plans.read.failure }
    /// The reason why the operation must not be sent; nil for nearly every operation.
    package let refusal: RelayError?

    let plans: BoundPlans
    let key: OperationKey
    /// What equal operations have in common, and with no other, as long as one of them is in use or retained.
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

/// The part of a bound operation that the store itself keeps; it has no reference to the store.
final class BoundPlans: Sendable {
    let write: BoundPlan
    let read: BoundPlan
    private let values: VariableValues
    let names: NameTable
    /// The plans of the fragments that were read through this operation, because the plans depend on its variables.
    private let fragments = Guarded<[FragmentKey: BoundPlan]>([:])

    private struct FragmentKey: Hashable {
        let artifact: ObjectIdentifier
        let arguments: FragmentArguments?
    }

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

    /// Returns the values of variables as a fragment sees them that is read through this operation. Variables without a
    /// value are left out.
    func values(
        of names: [String], in artifact: GeneratedCode.FragmentArtifact, passing arguments: FragmentArguments?
    ) -> [JSONValue.Member] {
        var inner = values
        if case .success(let plan) = artifact.reader.plan {
            inner = values.inFragment(declaring: plan.variables, arguments)
        }
        return names.compactMap { name in inner.value(name).map { .init(name, $0) } }
    }

    /// Returns the plan of a fragment, bound to this operation's variables and to what a spread passes. What spreads
    /// pass depends on the same variables, so that there are not many plans.
    func plan(of artifact: GeneratedCode.FragmentArtifact, passing arguments: FragmentArguments?) -> BoundPlan {
        let key = FragmentKey(artifact: ObjectIdentifier(artifact), arguments: arguments)
        if let known = fragments.withLock({ $0[key] }) { return known }
        let plan = BoundPlan.bind(artifact, values, arguments, names)
        return fragments.withLock { fragments in
            if let known = fragments[key] { return known }
            fragments[key] = plan
            return plan
        }
    }
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
