extension RelayEnvironment {
    /// Explains how a record, or one field of it, got its current state: the change that wrote it and its time, and the
    /// changes that invalidated or removed it.
    ///
    ///     print(environment.explain("4711", field: "name"))
    ///     // The field 'name' of Person '4711' is missing. The record was changed last by query 'Search',
    ///     // request 9 (version 31, at 12.5 seconds), which does not select 'name'.
    ///
    /// The store always knows the version of a record's last change, and the causes of the last publishes.
    /// ``StoreOptions/history`` sets their number, and whether each field has a history of its own. The explanation is
    /// for people: it takes time linear in the history.
    public func explain(
        _ id: DataID, field: String? = nil, arguments: [String: JSONValue] = [:]
    ) -> Explanation {
        store.explain(id, field.map { StorageKey($0, arguments.map { ($0.key, $0.value) }) })
    }

    /// Explains why a query is available, stale or missing, and which of its values cannot be shown. For each field it
    /// names the last change of its record and of the field that links to the record.
    public func explain<Query: GraphQLQuery>(_ query: Query) -> Explanation.OfData { explain(store.bind(query)) }

    /// Explains why a fragment's data is complete or missing; nil for a reference of another environment.
    public func explain<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Explanation.OfData? {
        guard let bound = store.bind(reference) else { return nil }
        let found = store.examine(
            bound.selections.plan, at: bound.record, fetch: store.operations.fetch(of: bound.owner))
        return explanation(
            of: Fragment.artifact.name, found.missing, found.stale, from: bound.record, bound.selections,
            holesIn: bound.selections.plan, fetchedAt: nil)
    }

    func explain(_ operation: BoundOperation) -> Explanation.OfData {
        let fetch = store.operations.fetch(of: operation)
        let found = store.examine(operation.plans.write, at: operation.root, fetch: fetch)
        let selections = BoundSelections(plan: operation.plans.write, use: OperationUse(operation))
        return explanation(
            of: operation.artifact.name, found.missing,
            found.stale ?? StaleCause(of: operation, fetch, in: store.records),
            from: operation.root, selections, holesIn: operation.plans.read, fetchedAt: fetch?.time)
    }

    private func explanation(
        of component: String, _ missing: MissingPlace?, _ stale: StaleCause?, from root: RecordID,
        _ selections: BoundSelections, holesIn read: BoundPlan, fetchedAt: Duration?
    ) -> Explanation.OfData {
        var availability = Availability.available(age: fetchedAt.map { now() - $0 })
        var cause: Explanation?
        var link: Explanation?
        if let missing {
            availability = .missing(store.location(of: missing))
            let (field, leading) = store.explain(missing, from: root, selections)
            (cause, link) = (field, leading)
        } else if let stale {
            availability = .stale(store.staleness(stale))
            switch stale {
            case .record(let record), .type(_, let record): cause = store.explain(store.dataID(of: record))
            case .tooOld(let place?, _, _):
                cause = store.explain(
                    store.dataID(of: place.record), place.key.map { StorageKey(store.names.name(of: $0)) })
            default: cause = store.explain(store.dataID(of: root))
            }
        }
        return Explanation.OfData(
            component: component, availability: availability, cause: cause, link: link, fetchedAt: fetchedAt,
            holes: store.explainHoles(in: read, at: root))
    }
}
