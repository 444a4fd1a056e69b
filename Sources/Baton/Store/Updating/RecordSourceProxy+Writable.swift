extension RecordSourceProxy {
    /// Returns the record of a reference as a typed struct; nil if the record does not exist or belongs to another
    /// store.
    public func writable<Fragment: WritableFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Writable? {
        guard reference.owner.names === names, let record = existing(reference) else { return nil }
        let use = reference.target.use
        let plan = use.operation.plans.plan(of: Fragment.artifact, passing: use.arguments)
        return Fragment.Writable(.init(record: record, plan: plan, node: 0))
    }

    /// Returns a record as a typed struct; nil if the record does not exist. Each call binds the fragment's plan, which
    /// takes a few microseconds.
    ///
    /// - Parameters:
    ///   - type: The fragment.
    ///   - id: The identity of the record. The fragment must apply to the record's type.
    ///   - variables: The values of the fragment's own arguments, and of the operation's variables that it uses.
    public func writable<Fragment: WritableFragment>(
        _ type: Fragment.Type, at id: DataID, variables: [String: JSONValue] = [:]
    ) -> Fragment.Writable? {
        guard let record = get(id) else { return nil }
        var provided = GeneratedCode.VariableEncoder()
        provided.encode(Fragment.artifact.provided)
        let sent = JSONValue.object(variables.map { .init($0.key, $0.value) } + provided.members)
        let plan = BoundPlan.bind(
            Fragment.artifact, VariableValues(sent: sent, declared: []),
            FragmentArguments(variables.mapValues { .some($0) }), names)
        return Fragment.Writable(.init(record: record, plan: plan, node: 0))
    }

    /// Returns the root fields of a query as a typed struct.
    public func writable<Query: WritableQuery>(_ query: Query) -> Query.Writable {
        var encoder = GeneratedCode.VariableEncoder()
        encoder.encode(query.variables.__fields)
        encoder.encode(Query.artifact.provided)
        let plans = BoundPlans(Query.artifact, variables: .object(encoder.members), names)
        return Query.Writable(.init(record: root, plan: plans.read, node: 0))
    }

    /// Returns the record of a reference; nil if the record was deleted, or collected since the reference was made.
    func existing<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> RecordProxy? {
        let collection = records?.base.slot(of: reference.record).collection
        return collection == reference.target.collection ? existing(reference.record) : nil
    }

    func own<Fragment: GraphQLFragment>(
        _ reference: FragmentReference<Fragment>
    ) throws(UpdateError) -> RecordProxy {
        guard records != nil else { throw .ended }
        guard reference.owner.names === names else { throw .foreignRecord(reference.dataID) }
        // A record that was collected since counts as deleted.
        guard let record = existing(reference) else { throw .deleted(reference.dataID) }
        return record
    }

    func isMatch(_ record: RecordID, _ item: BoundPlan.Item, _ plan: BoundPlan) -> Bool {
        guard let type = type(of: record) else { return false }
        guard let condition = item.condition else { return true }
        return item.isAbstract
            ? plan.clientFact(type, is: condition) ?? fact(type, is: condition) == true : type == condition
    }
}
