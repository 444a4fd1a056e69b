/// The query that fetches a fragment again: its variables, and the way from its response to the fragment.
struct LoadQuery: Sendable {
    let environment: RelayEnvironment
    let fragment: GeneratedCode.FragmentArtifact
    let query: GeneratedCode.OperationArtifact
    let route: GeneratedCode.RefetchMetadata
    let connection: GeneratedCode.ConnectionMetadata?

    init<Fragment: RefetchableFragment>(_ fragment: Fragment.Type, in environment: RelayEnvironment) {
        self.environment = environment
        self.fragment = Fragment.artifact
        query = Fragment.RefetchQuery.artifact
        route = Fragment.refetch
        connection = (Fragment.self as? any PaginationFragment.Type)?.connection
    }

    private var store: Store { environment.store }

    // MARK: - Variables

    /// The names of the variables that are not given by providers, in the order of their declarations.
    private var names: [String] {
        guard case .success(let plan) = query.normalization.plan else { return [] }
        let provided = Set(query.provided.map(\.name))
        return plan.variables.map(\.name).filter { !provided.contains($0) }
    }

    /// Returns the values with which the fragment is shown now, as variables of the query.
    ///
    /// - Parameter adopted: The query that the last refetch has sent, if its data is shown.
    func variables(of target: GeneratedCode.FragmentTarget?, adopted: BoundOperation?) -> [JSONValue.Member] {
        if let adopted, case .object(let members) = adopted.variables { return members }
        guard let target else { return [] }
        var members = target.owner.plans.values(of: names, in: fragment, passing: target.use.arguments)
        if let field = route.identifierField, let variable = route.identifierVariable,
            let identifier = store.leaf(field, of: target)
        {
            members.removeAll { $0.name == variable }
            members.append(.init(variable, identifier))
        }
        return members
    }

    /// Returns the query with these variables, of which some are replaced. Variables that are left out stay as they
    /// are.
    func bind(_ members: [JSONValue.Member], replacing fields: GeneratedCode.InputFields?) -> BoundOperation {
        var encoder = GeneratedCode.VariableEncoder()
        if let fields { encoder.encode(fields) }
        var refusal: RelayError?
        if let first = encoder.tooDeep.first {
            refusal = .variableTooDeep(operationName: query.name, variable: first, limit: JSONValue.maximumDepth)
        }
        return bind(members, replacing: encoder.members, refusal: refusal)
    }

    /// Returns the query with these variables, of which some are replaced.
    func bind(
        _ members: [JSONValue.Member], replacing others: [JSONValue.Member], refusal: RelayError? = nil
    ) -> BoundOperation {
        var values: [String: JSONValue] = [:]
        for member in members + others { values[member.name] = member.value }
        var encoder = GeneratedCode.VariableEncoder()
        encoder.members = names.compactMap { name in values[name].map { .init(name, $0) } }
        encoder.encode(query.provided)
        return store.bind(query, variables: .object(encoder.members), refusal: refusal)
    }

    /// Returns the variables of a page: the number of objects, and the cursor from which they are counted.
    func variables(
        of kind: LoadMachine.Kind, count: Int, from cursor: JSONValue, with members: [JSONValue.Member]
    ) -> [JSONValue.Member]? {
        let (own, other) =
            kind == .next ? (connection?.forward, connection?.backward) : (connection?.backward, connection?.forward)
        guard let own, let variable = own.cursor else { return nil }
        // A page has one direction. The variables of the other one are null, because they may have defaults.
        let others = [other?.count, other?.cursor].compactMap { $0 }
        return members.filter { $0.name != own.count && $0.name != variable && !others.contains($0.name) }
            + others.map { .init($0, .null) } + [.init(own.count, .int(count)), .init(variable, cursor)]
    }

    // MARK: - Answers

    /// Returns the reference to the fragment in the response of the query; nil if the object does not exist.
    func target(in operation: BoundOperation) -> GeneratedCode.FragmentTarget? {
        var row = store.read(at: operation.root, operation.reader, after: nil).row
        for key in route.path {
            row = row.flatMap { row in row.field { $0.plan.responseKeys[$1] == key }.flatMap(row.child) }
        }
        guard let row, let spread = row.field({ $0.plan.items[$1].kind == .spread }), row.matches(spread) else {
            return nil
        }
        return row.target(spread)
    }

    /// Returns true if nothing of the fragment is missing in the response of the query.
    func isWhole(in operation: BoundOperation) -> Bool {
        guard let target = target(in: operation), let place = store.bind(target, fragment) else { return false }
        return !store.read(at: place.record, place.selections, after: nil).isMissingData
    }
}

extension GeneratedCode.Row {
    /// Returns the first field of the object's selection set for which the item at its position in the plan is wanted.
    fileprivate func field(_ isWanted: (Shelf, Int) -> Bool) -> Int? {
        let items = shelf.plan.items(of: Int(node))
        return items.first { isWanted(shelf, $0) }.map { $0 - items.lowerBound }
    }
}

extension Store {
    /// Returns the value of a field without arguments; nil if it is missing, null, or no scalar.
    fileprivate func leaf(_ field: String, of target: GeneratedCode.FragmentTarget) -> JSONValue? {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        switch records.value(names.key(field), of: target.record) {
        case nil, .null, .link, .links: return nil
        case let value?: return value.json { _ in "" }
        }
    }
}
