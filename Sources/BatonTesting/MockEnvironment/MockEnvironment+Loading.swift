public import Baton

/// The queries that a test has loaded, and what keeps their data.
///
/// State: guarded by a lock of its own, a leaf.
final class LoadedQueries: Sendable {
    private struct Loaded: Sendable {
        let name: String
        let variables: JSONValue
        let retention: Retention
        let publish: @Sendable () throws -> Void
    }

    private let loaded = Guarded<[Loaded]>([])

    /// Adds a query, unless it is there.
    func add(
        _ name: String, _ variables: JSONValue, _ retention: Retention, publish: @escaping @Sendable () throws -> Void
    ) {
        loaded.withLock { loaded in
            if loaded.contains(where: { $0.name == name && $0.variables == variables }) { return }
            loaded.append(Loaded(name: name, variables: variables, retention: retention, publish: publish))
        }
    }

    /// Publishes the answers to all of them.
    func publish() throws { for query in loaded.withLock(\.self) { try query.publish() } }
}

extension MockEnvironment {
    /// Puts the world's answer to a query into the store, without a request, and returns the data. A component under
    /// test takes its fragment reference from there.
    ///
    ///     let film = try #require(try mock.load(FilmQuery(id: "Film:1")).film)
    ///     let row = tester.render(film.fragments.filmRow_film) { $0.title }
    ///
    /// The answer has the fields that only the client knows, if the world knows them. The data is retained as long as
    /// the environment lives.
    ///
    /// - Throws: ``MockFailure`` if there is no world, or if its answer has errors; and what
    ///   `RelayEnvironment.publish(_:for:)` throws.
    @discardableResult
    public func load<Query: GraphQLQuery & Sendable>(_ query: Query) throws -> Query.Data {
        try publish(query)
        let variables = environment.store.bind(query).variables
        loaded.add(Query.artifact.name, variables, environment.retain(query)) { [weak self] in
            try self?.publish(query)
        }
        guard let data = environment.read(query).data else {
            throw MockFailure("the data of '\(Query.artifact.name)' cannot be read: \(environment.explain(query))")
        }
        return data
    }

    /// Changes the world (`World.override`), and puts its answers to the queries that were loaded into the store again.
    /// So a test changes what a component shows, in the words of the schema:
    ///
    ///     try mock.change(["Film:1": ["title": "Dawn"]])
    ///
    /// - Throws: ``MockFailure`` if there is no world, `WorldError` with all mistakes in the overrides, and what
    ///   ``load(_:)`` throws.
    public func change(_ overrides: JSONValue) throws {
        guard let world else { throw MockFailure("the environment has no world to change") }
        try world.override(overrides)
        try loaded.publish()
    }

    private func publish<Query: GraphQLQuery>(_ query: Query) throws {
        let data = try worldData(for: Query.artifact, environment.store.bind(query).variables)
        try environment.publish(.data(data), for: query)
    }

    /// Puts the client's fields of a query that the world has answered into the store. A response has none of them.
    func publishClientFields<Operation: GraphQLOperation>(_: Operation.Type, _ request: NetworkRequest) throws {
        let artifact = Operation.artifact
        guard world?.hasClientSchema == true, artifact.kind == .query, WholeDocument.hasClientFields(artifact) else {
            return
        }
        let variables = JSONValue.object(request.variables)
        let payload = GraphQLPayload<Operation>.data(try worldData(for: artifact, variables))
        try environment.publish(payload, variables: variables)
    }

    /// The data of the world's answer to a query.
    private func worldData(for artifact: GeneratedCode.OperationArtifact, _ variables: JSONValue) throws -> JSONValue {
        guard let world else { throw MockFailure("'\(artifact.name)' gets no data: the environment has no world") }
        guard let text = world.document(of: artifact, variables) else {
            throw MockFailure("the generated code of '\(artifact.name)' is malformed")
        }
        let response = world.execute(text, operationName: artifact.name, variables: variables)
        if let errors = response["errors"] {
            let query = SeenEvents.text(artifact.name, variables)
            throw MockFailure("the world has no data for \(query): \(errors.text)")
        }
        return response["data"] ?? .null
    }
}

extension World {
    /// The document of a query of the app: that of its requests, or one with the client's fields.
    fileprivate func document(of artifact: GeneratedCode.OperationArtifact, _ variables: JSONValue) -> String? {
        let sent = artifact.text ?? artifact.id.flatMap { service.persistedDocuments[$0] }
        if let sent, !WholeDocument.hasClientFields(artifact) { return sent }
        return wholeDocument(of: artifact, variables) ?? sent
    }
}
