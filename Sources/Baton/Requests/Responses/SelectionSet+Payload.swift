extension GeneratedCode.SelectionSet {
    /// Reads a payload into records of its own, as the response to an operation would be read. No environment is used.
    ///
    ///     let data = try FilmQuery.Data(.data(json: text), for: FilmQuery(id: "1"))
    ///
    /// The references of spreads point into the same records, so that a component can read its fragment:
    /// `FragmentHandle(data.film.fragments.row)`, without an environment. `JSONValue(data)` is the way back.
    ///
    /// Throws the errors of ``RelayEnvironment/publish(_:for:)``. Throws
    /// ``RelayError/missingNonNullField(path:component:)`` if a non-null field without a value leaves no data, and
    /// ``RelayError/fieldErrors(_:)``, ``RelayError/missingRequiredField(path:component:)`` or
    /// ``RelayError/resultTooLarge(component:limit:)`` if the read fails.
    ///
    /// - Parameters:
    ///   - payload: The data, or a whole response. Names that the operation does not select are ignored.
    ///   - operation: The operation with its variables.
    ///   - options: The field handlers and the names of connections, if the operation needs them.
    public init<Operation: GraphQLOperation>(
        _ payload: GraphQLPayload<Operation>, for operation: Operation, options: StoreOptions = StoreOptions()
    ) throws(RelayError) where Operation.Data == Self {
        let environment = RelayEnvironment(.around(Store(options: options)))
        // The operation stays retained, so that the records exist as long as a reference to them.
        let bound = environment.store.bind(operation, retaining: true)
        let root = try environment.land(payload, for: bound)
        let outcome = environment.store.records.read(at: root, bound.reader)
        if let failure = outcome.problems?.failure { throw failure }
        guard let row = outcome.row else {
            let hole = HoleSearch.fall(in: environment.store.records, at: root, bound.reader.plan)
            throw .missingNonNullField(path: hole?.place.path ?? [], component: Operation.artifact.name)
        }
        self.init(__row: row)
    }
}

extension GraphQLResponse {
    /// Reads a payload into records of its own, as the response to a request would be read. No environment is used.
    ///
    ///     let again = try GraphQLResponse(.response(json: response.json.text), for: query)
    ///
    /// ``json`` gives the payload again, including the fields of fragments, so that a response can be kept as text.
    /// Errors of the payload are in ``errors``. They do not throw, even if there is no data. ``read(_:)`` reads
    /// fragments.
    ///
    /// Throws ``RelayError/invalidResponse(_:)`` if the payload is not JSON or does not fit the operation, and
    /// ``RelayError/updater(_:)`` if a field handler throws.
    ///
    /// - Parameters:
    ///   - payload: The data, or a whole response. Names that the operation does not select are ignored.
    ///   - operation: The operation with its variables.
    ///   - options: The field handlers and the names of connections, if the operation needs them.
    public init(
        _ payload: GraphQLPayload<Operation>, for operation: Operation, options: StoreOptions = StoreOptions()
    ) throws(RelayError) {
        let environment = RelayEnvironment(.around(Store(options: options)))
        let bound = environment.store.bind(operation)
        let (staged, body) = try environment.landed(payload, for: bound)
        let landed = StoredPayload(
            presence: staged.presence, errors: staged.errors, extensions: staged.extensions,
            bodies: PayloadBodies([body]),
            hasNext: false)
        self.init(landed, of: bound, in: environment)
    }
}
