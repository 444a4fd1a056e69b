extension RelayEnvironment {
    /// Returns the current data of a query in the store, complete or not, without a request and without subscribing.
    ///
    ///     if environment.check(query).isAvailable { draw(environment.read(query).data) }
    ///
    /// The response has the errors of the last response of a server. Its ``GraphQLResponse/missingField`` is set if a
    /// field of the query itself is missing. Missing-field handlers are called, as for a handle. Nothing is retained,
    /// not even by the response.
    public func read<Query: GraphQLQuery>(_ query: Query) -> GraphQLResponse<Query> {
        let operation = store.bind(query)
        let response = operations.whileReading(operation) {
            _ = check(operation)
            return GraphQLResponse<Query>(
                ResponseContent(
                    stored: operation, errors: lastFetches.errors(of: operation), in: self, isRetained: false))
        }
        report(response.content.problems, of: operation)
        return response
    }

    /// Checks how much of a query's data the store holds, fragments included. Missing-field handlers are called, as for
    /// a handle.
    public func check<Query: GraphQLQuery>(_ query: Query) -> Availability { availability(of: store.bind(query)) }

    /// Returns the current data of a fragment without subscribing, except for a frame that is being tracked. Nil if the
    /// data does not exist or the reference comes from another environment.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        Recording.current?.note(reference, in: self)
        return readResult(of: reference)?.data
    }

    /// Returns the current data of a fragment without subscribing, except for a frame that is being tracked, or the
    /// reason why there is none: errors of fields, data that is larger than ``StoreOptions/resultSize``, or a reference
    /// from another environment. Never `loading`.
    public func result<Fragment: GraphQLFragment>(of reference: FragmentReference<Fragment>) -> QueryResult<
        Fragment.Data
    > {
        Recording.current?.note(reference, in: self)
        return readResult(of: reference)?.result ?? .failure(.foreignReference(fragment: Fragment.artifact.name))
    }

    /// Returns the current state of a fragment that may arrive later, without subscribing, except for a frame that is
    /// being tracked.
    ///
    /// - `loading`: A field is missing, and a request of the reference's operation is in flight, or a later part of any
    ///   response in flight will bring the field.
    /// - `failure`: There is no data, and the last request of that operation failed; or the reference comes from
    ///   another environment.
    /// - `success`: The data in the store; nil if a non-null field has no value and no nullable field encloses it.
    public func result<Fragment: GraphQLFragment>(
        of deferred: DeferredReference<Fragment>
    ) -> QueryResult<Fragment.Data> {
        let handle = FragmentHandle(deferred.reference, in: self)
        // The frame keeps the handle, which must be known to the frame before its state is read.
        Recording.current?.note(handle)
        return handle.get()
    }

    /// Returns the data of a query in the store as JSON, fragments included, in the form of a response and without a
    /// request.
    ///
    /// Missing fields are left out, and so are fields of the client's own schema. The JSON can be published again:
    /// `publish(.data(json), for: query)`. For the JSON of a fetched response, see ``GraphQLResponse/json``.
    ///
    /// Null if the root fields were never written, or if the JSON is larger than ``StoreOptions/resultSize``. Each
    /// value in it counts as 32 bytes.
    public func json<Query: GraphQLQuery>(of query: Query) -> JSONValue {
        let operation = store.bind(query)
        return operations.whileReading(operation) { store.json(of: operation) }
    }

    /// Returns the identity under which the store keeps, or would keep, an object of a type with an `id`.
    ///
    ///     environment.explain(environment.dataID(of: "Film", id: "film-4"))
    public func dataID(of type: TypeName, id: String) -> DataID {
        let ids = store.names.dataIDs(of: type, id: id)
        let names = store.names
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let known = ids.first { id in
            guard let record = store.sought(id) else { return false }
            let records = store.records
            guard records.state(of: record) == .existing else { return false }
            return names.name(of: records.type(of: record)) == type.rawValue
        }
        return known ?? ids.first ?? DataID(id)
    }

    /// Returns the identity under which the store keeps an object that was read.
    public func dataID(of object: some GraphQLObject) -> DataID {
        dataID(of: TypeName(object.__typename), id: object.id)
    }

    /// Reports to the log that a record does not exist, if its name resembles other records.
    func reportUnknown(_ id: DataID) {
        let (names, records) = (store.names, store.records)
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        guard names.record(id, adding: false).map({ records.state(of: $0) == .unknown }) ?? true else { return }
        names.noteUnknown(id) { records.state(of: $0) == .existing }
        log.reportNames(store.names)
    }
}
