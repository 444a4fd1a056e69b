public import Baton
import BatonSchema
import BatonSyntax
import Foundation

/// A seeded world of a schema, which answers any operation with plausible data.
///
///     let world = try World(schema: text, seed: 7)
///     let environment = RelayEnvironment(network: world)
///
/// The data is made by executing the operation, so that it has the shape of a server's response. The same seed gives
/// the same data, and an entity has the same fields wherever it is met. Its id says its type: `Film:1`.
///
/// What a test needs to be otherwise is an override (``override(_:)``). Mutations change the world too, so that a query
/// that follows sees it. A subscription gives an event for each call of ``emit(_:_:)``.
///
/// Every method may be called from any thread.
public final class World: Sendable {
    /// The number of the recipe by which values are made. Values of one recipe stay the same in later versions.
    public static let generator = 1

    /// Returns overrides for the arguments of a mutation.
    public typealias MutationRule = @Sendable (LocalArguments) -> JSONValue

    /// The service that executes operations in this world. It delays and fails requests, and counts them.
    public let service: LocalService
    let data: WorldData
    private let making: Making
    private let subscriptions = Guarded(Subscriptions())

    /// What a world was made with, apart from the seed.
    private struct Making: Sendable {
        let scalars: [String: ScalarGenerator]
        let limits: Limits
        let resolvers: LocalResolvers
        let persistedDocuments: [String: String]
        let delay: Duration
        let clock: any Clock<Duration>
        let incremental: LocalService.IncrementalFormat?
    }

    private struct Subscriptions {
        var last = 0
        var running: [Int: (request: NetworkRequest, exchange: MockExchange)] = [:]
    }

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - schema: The schema in the schema definition language.
    ///   - clientSchema: The types and fields that only the client knows, as the files of `schemaExtensions` have them.
    ///   - seed: Another seed gives other data.
    ///   - scalars: A generator for each custom scalar that needs one, by the name of the scalar.
    ///   - limits: The sizes of lists.
    ///   - resolvers: Resolvers that take the place of the world for some fields.
    ///   - persistedDocuments: The documents of requests that have an id, by their ids.
    ///   - delay: The time that the network takes for each response, on `clock`.
    ///   - clock: The clock that measures the delay; a `ManualClock` in tests.
    ///   - incremental: The form in which parts arrive later; nil if a response always comes in one piece.
    /// - Throws: `LocalSchemaError` with all mistakes in the schemas or in the resolvers.
    public convenience init(
        schema: String, clientSchema: String = "", seed: UInt64 = 1, scalars: [String: ScalarGenerator] = [:],
        limits: Limits = Limits(),
        resolvers: LocalResolvers = LocalResolvers(), persistedDocuments: [String: String] = [:],
        delay: Duration = .zero, clock: any Clock<Duration> = ContinuousClock(),
        incremental: LocalService.IncrementalFormat? = .announced
    ) throws(LocalSchemaError) {
        let making = Making(
            scalars: scalars, limits: limits, resolvers: resolvers, persistedDocuments: persistedDocuments,
            delay: delay, clock: clock, incremental: incremental)
        let known = WorldSchema(try LocalSchema.load(schema, clientSchema: clientSchema))
        try self.init(known, seed: seed, making)
    }

    /// Makes a world of the part of the schema that the documents use, which generated builders have beside them.
    ///
    ///     let world = try World(BuilderSchema.table)
    ///
    /// It answers what the documents of the project ask. The table is read once for the process.
    ///
    /// - Parameters:
    ///   - table: The table that the compiler writes beside builders.
    ///   - seed: Another seed gives other data.
    ///   - scalars: A generator for each custom scalar that needs one, by the name of the scalar.
    ///   - limits: The sizes of lists.
    ///   - delay: The time that the network takes for each response, on `clock`.
    ///   - clock: The clock that measures the delay; a `ManualClock` in tests.
    ///   - incremental: The form in which parts arrive later; nil if a response always comes in one piece.
    /// - Throws: Mistakes in the table, which a generated one does not have.
    public convenience init(
        _ table: GeneratedCode.BuilderTable, seed: UInt64 = 1, scalars: [String: ScalarGenerator] = [:],
        limits: Limits = Limits(), delay: Duration = .zero, clock: any Clock<Duration> = ContinuousClock(),
        incremental: LocalService.IncrementalFormat? = .announced
    ) throws(BuilderError) {
        let making = Making(
            scalars: scalars, limits: limits, resolvers: LocalResolvers(), persistedDocuments: [:], delay: delay,
            clock: clock, incremental: incremental)
        let known = try table.load().world.known
        do throws(LocalSchemaError) {
            try self.init(known, seed: seed, making)
        } catch {
            throw BuilderError(error.messages)
        }
    }

    private init(_ known: WorldSchema, seed: UInt64, _ making: Making) throws(LocalSchemaError) {
        self.making = making
        data = WorldData(known, seed: seed, limits: making.limits, scalars: making.scalars)
        service = try LocalService(
            loaded: known.schema, resolvers: making.resolvers, values: data, root: WorldRoot(),
            persistedDocuments: making.persistedDocuments, delay: making.delay, clock: making.clock,
            limits: .init(), incremental: making.incremental)
    }

    /// Makes a world over the same schema without reading it again. It has none of this world's changes. The error that
    /// it throws is that of the initializer.
    public func another(seed: UInt64) throws(LocalSchemaError) -> World {
        try World(data.known, seed: seed, making)
    }

    // MARK: - Execution

    /// Executes one operation of a document and returns the whole response; see `LocalService.execute`. A subscription
    /// gives its first event.
    public func execute(
        _ text: String, operationName: String? = nil, variables: JSONValue = .object([])
    ) -> JSONValue {
        service.execute(text, operationName, variables, event: event(for: text, operationName))
    }

    /// Executes one operation of a document and returns the payloads of its response; see
    /// `LocalService.executeInParts`. A subscription gives its first event.
    public func executeInParts(
        _ text: String, operationName: String? = nil, variables: JSONValue = .object([])
    ) -> [JSONValue] {
        if event(for: text, operationName) != nil {
            return [execute(text, operationName: operationName, variables: variables)]
        }
        return service.executeInParts(text, operationName: operationName, variables: variables)
    }

    private func event(for text: String, _ operationName: String?) -> WorldObject? {
        let prepared = service.document(text)
        guard let index = try? prepared.operation(named: operationName),
            prepared.operations[index].kind == .subscription
        else { return nil }
        return data.root(for: .subscription)
    }

    // MARK: - Changes

    /// Changes values of the world. The names of the members say what they are about, and the later one wins:
    ///
    ///     try world.override([
    ///         "Film": ["rating": 5],                                // all films
    ///         "Film.director": ["$ref": "Person:1"],                // a field of all films
    ///         "Film:3": ["title": "Hope", "reviews": ["$count": 0]],  // one film
    ///         "Query.films": [["title": "A"], ["title": "B"]],      // the nodes of a connection, or a list
    ///         "$.films.edges.0.cursor": "c",                        // a path of the response, `*` for every index
    ///     ])
    ///
    /// A path takes precedence over an entity, an entity over its type, and a type over its interfaces. An object for
    /// an entity makes an entity with these fields. What no override names is as it was.
    ///
    /// - Throws: All mistakes: unknown types and fields, and values that do not fit their types. Nothing is changed
    ///   then.
    public func override(_ overrides: JSONValue) throws(WorldError) {
        var reader = OverrideReader(data)
        reader.read(overrides)
        guard reader.mistakes.isEmpty else { throw WorldError(messages: reader.mistakes) }
        let read = reader.overrides
        data.change { $0.overrides.add(read) }
    }

    /// Changes values of the world as a file of JSON says.
    ///
    /// - Throws: An error of the file, of its JSON, or a ``WorldError``.
    public func override(contentsOf path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try override(try JSONValue.parse(Array(bytes)))
    }

    /// Says what a mutation changes, in place of the rule that follows from its name. The closure returns overrides; it
    /// is called once for each such field that is executed. A mistake in the overrides is an error of the field.
    public func onMutation(_ field: String, _ change: @escaping MutationRule) { data.setRule(change, for: field) }

    /// Undoes all changes: overrides, rules, and the effects of mutations.
    public func reset() { data.reset() }

    // MARK: - Subscriptions

    /// Gives an event to the running subscriptions whose field this is.
    ///
    /// - Parameters:
    ///   - field: The name of the field of the subscription type.
    ///   - overrides: What has changed with the event.
    /// - Throws: All mistakes in the overrides. No event is given then.
    public func emit(_ field: String, _ overrides: JSONValue = .object([])) throws(WorldError) {
        try override(overrides)
        let number = data.change { state in
            state.events += 1
            return state.events
        }
        guard let root = data.root(for: .subscription, event: number) else { return }
        let running = subscriptions.withLock { $0.running.sorted { $0.key < $1.key }.map(\.value) }
        for (request, exchange) in running where service.rootField(of: request) == field {
            let response = service.execute(
                service.text(of: request) ?? "", request.operationName, .object(request.variables), event: root)
            exchange.give(NetworkResponse(body: response.jsonBytes, hasNext: true))
        }
    }

    /// The number of running subscriptions.
    public var subscriptionCount: Int { subscriptions.withLock { $0.running.count } }

    private func events(for request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let exchange = MockExchange(owner: RequestScope.owner)
        let number = subscriptions.withLock { state in
            state.last += 1
            state.running[state.last] = (request, exchange)
            return state.last
        }
        exchange.begin()
        let reader = MockReader(exchange) { [self] in
            subscriptions.withLock { state in _ = state.running.removeValue(forKey: number) }
        }
        return AsyncThrowingStream { try await reader.next() }
    }
}

extension World: NetworkLayer {
    /// Gives the whole response of a query or mutation, as the service does. A subscription has no single response.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await service.send(request) }

    /// Gives the payloads of a response, or the events of a subscription.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        guard request.kind == .subscription, service.rootField(of: request) != nil else {
            return service.responses(to: request)
        }
        return events(for: request)
    }
}
