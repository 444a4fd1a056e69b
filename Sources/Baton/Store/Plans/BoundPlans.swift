/// The part of a bound operation that the store itself keeps. It has no reference to the store.
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

    /// Returns the values that variables have inside a fragment that is read through this operation. Variables without
    /// a value are left out.
    func values(
        of names: [String], in artifact: GeneratedCode.FragmentArtifact, passing arguments: FragmentArguments?
    ) -> [JSONValue.Member] {
        var inner = values
        if case .success(let plan) = artifact.reader.plan {
            inner = values.inFragment(declaring: plan.variables, arguments)
        }
        return names.compactMap { name in inner.value(name).map { .init(name, $0) } }
    }

    /// Returns the plan of a fragment, bound to this operation's variables and to the arguments of a spread. The
    /// arguments depend on the same variables, so the number of plans is bounded by the number of spreads.
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
