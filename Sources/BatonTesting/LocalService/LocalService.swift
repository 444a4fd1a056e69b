public import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A GraphQL service inside the process: it executes operations against a schema with resolvers.
///
/// The service is a `NetworkLayer`, so an app, a test or a demo runs without a server. `execute` can also be called
/// directly. The delay and the failures of its network can change at any time. Every method may be called from any
/// thread. Requests run at the same time, so resolvers guard their own state.
///
/// Execution follows the specification: arguments and variables are coerced, `@skip` and `@include` obeyed, results
/// coerced, nulls propagated, and the fields of a mutation run one after the other. A document is checked once, and
/// only for the rules that execution relies on.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Execution
public final class LocalService: Sendable {
    /// The limits on the response to one request.
    public struct Limits: Sendable, Hashable {
        /// The deepest nesting of objects in a response. A field that lies deeper has an error.
        public var depth: Int
        /// The largest number of fields in a response, repetitions included. A response with more fields is refused as
        /// a whole.
        public var fields: Int

        /// Makes limits, with defaults.
        public init(depth: Int = 64, fields: Int = 1_000_000) {
            self.depth = depth
            self.fields = fields
        }
    }

    /// The form in which parts arrive later, which `@defer` and `@stream` ask for.
    public enum IncrementalFormat: Sendable, Hashable {
        /// Parts are announced in `pending`, have an `id`, and end in `completed`. Each field is sent once.
        case announced
        /// Parts have a `path` and a `label`. Each has all fields of its fragment. Older servers send this form.
        case labelled
    }

    let schema: Schema
    let resolvers: ResolverTable
    private let values: (any LocalValues)?
    private let root: any Sendable
    private let limits: Limits
    private let incremental: IncrementalFormat?
    private let addedDirectives: [String: SchemaDirective]
    private let clock: any Clock<Duration>
    let persistedDocuments: [String: String]
    private let documents = Guarded(DocumentCache())
    private let conduct: Guarded<Conduct>

    /// The current behaviour of the network, and the count of its requests.
    private struct Conduct {
        var delay: Duration = .zero
        var failure: (@Sendable (NetworkRequest) -> (any Error)?)?
        var requestCount = 0
    }

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - schema: The schema in the schema definition language.
    ///   - resolvers: The resolvers of the schema's fields.
    ///   - root: The parent value of root fields. A root field without a resolver is looked up in this value.
    ///   - persistedDocuments: The documents of requests that have an id, by their ids, as in the file of
    ///     `persistConfig`.
    ///   - delay: The time that the network takes for each response, on `clock`.
    ///   - clock: The clock that measures the delay; a `ManualClock` in tests.
    ///   - limits: The limits on the response to one request.
    ///   - incremental: The form in which parts arrive later. The service then knows `@defer` and `@stream`, whether or
    ///     not the schema declares them. Nil if a response always comes in one piece.
    /// - Throws: `LocalSchemaError` with all mistakes in the schema. If the schema is valid, the error has all
    ///   resolvers for types and fields that the schema does not have.
    public convenience init(
        schema: String,
        resolvers: LocalResolvers,
        root: (any Sendable)? = nil,
        persistedDocuments: [String: String] = [:],
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock(),
        limits: Limits = Limits(),
        incremental: IncrementalFormat? = nil
    ) throws(LocalSchemaError) {
        try self.init(
            loaded: LocalSchema.load(schema), resolvers: resolvers, values: nil, root: root,
            persistedDocuments: persistedDocuments, delay: delay, clock: clock, limits: limits,
            incremental: incremental)
    }

    /// Makes a service over a schema that is loaded. `values` are asked for fields without a resolver.
    init(
        loaded schema: Schema, resolvers: LocalResolvers, values: (any LocalValues)?, root: (any Sendable)?,
        persistedDocuments: [String: String], delay: Duration, clock: any Clock<Duration>, limits: Limits,
        incremental: IncrementalFormat?
    ) throws(LocalSchemaError) {
        RequestScope.watch()
        self.schema = schema
        self.resolvers = try ResolverTable(resolvers, schema: schema)
        self.values = values
        self.root = root ?? EmptyRoot()
        self.persistedDocuments = persistedDocuments
        self.limits = limits
        self.incremental = incremental
        addedDirectives = incremental == nil ? [:] : IncrementalDirectives.definitions(for: schema)
        self.clock = clock
        conduct = Guarded(Conduct(delay: delay))
    }

    // MARK: - Execution

    /// Executes one operation of a document and returns the whole response.
    ///
    /// A request that cannot be executed gives a response with `errors` and without `data`. Resolvers run on the
    /// calling thread.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - operationName: The name of the operation to execute; nil if the document has only one operation.
    ///   - variables: An object with the values of the variables.
    public func execute(
        _ text: String,
        operationName: String? = nil,
        variables: JSONValue = .object([])
    ) -> JSONValue {
        execute(text, operationName, variables, event: nil)
    }

    /// Executes one operation of a document, and returns the payloads of its response in the order in which they are
    /// sent. There is one, unless the service has an incremental format and the document asks for parts.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - operationName: The name of the operation to execute; nil if the document has only one operation.
    ///   - variables: An object with the values of the variables.
    public func executeInParts(
        _ text: String, operationName: String? = nil, variables: JSONValue = .object([])
    ) -> [JSONValue] {
        executeInParts(text, operationName: operationName, variables: variables, as: incremental)
    }

    /// Executes one operation, and returns the payloads of its response in a format; the whole response if it is nil.
    func executeInParts(
        _ text: String, operationName: String?, variables: JSONValue, as incremental: IncrementalFormat?
    ) -> [JSONValue] {
        guard let incremental else { return [execute(text, operationName: operationName, variables: variables)] }
        let prepared = document(text)
        do throws(RequestProblems) {
            let (execution, operation, type) = try prepare(prepared, operationName, variables, isIncremental: true)
            guard operation.kind != .subscription else {
                throw RequestProblems("This service does not execute subscriptions.", at: [operation.span])
            }
            let data = try execution.run(operation.selectionSet, on: type, root: root)
            var parts = ResponseParts(execution, format: incremental, lines: prepared.lines, data: data)
            return parts.payloads()
        } catch {
            return [.object([errors(error.problems, prepared)])]
        }
    }

    /// Serves a subscription: executes it for one event after another. `LocalService` itself refuses subscriptions; a
    /// `NetworkLayer` in front of it calls this method for them.
    ///
    ///     func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
    ///         guard request.kind == .subscription else { return service.responses(to: request) }
    ///         return service.responses(to: request) { try await newReviews.next() }
    ///     }
    ///
    /// While `nextEvent` sleeps on a `ManualClock`, the subscription rests (`settle`). For another sequence of events
    /// `settle` waits until nothing has happened for some milliseconds. What the subscription asks for,
    /// one film for example, is in ``rootArguments(of:)``.
    ///
    /// - Parameters:
    ///   - request: The request of the subscription.
    ///   - nextEvent: Waits for the next event, and returns the parent value of the subscription's field; nil ends the
    ///     subscription.
    public func responses(
        to request: NetworkRequest, nextEvent: @escaping @Sendable () async throws -> (any Sendable)?
    ) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let owner = RequestScope.owner
        return AsyncThrowingStream { [self] in
            guard let event = try await RequestScope.$owner.withValue(owner, operation: nextEvent) else {
                return nil
            }
            let response = execute(
                text(of: request) ?? "", request.operationName, .object(request.variables), event: event)
            return NetworkResponse(body: response.jsonBytes, hasNext: true)
        }
    }

    /// The coerced arguments of the first root field of a request; nil if the service cannot execute the request, of
    /// which its response then says why. By them, a source of events chooses those of one subscription.
    public func rootArguments(of request: NetworkRequest) -> LocalArguments? {
        let prepared = document(text(of: request) ?? "")
        let found = try? prepare(prepared, request.operationName, .object(request.variables))
        return found.flatMap { $0.execution.arguments(of: $0.operation.selectionSet, on: $0.type) }
    }

    /// The name of the first root field of a request; nil if the service cannot execute the request.
    func rootField(of request: NetworkRequest) -> String? {
        let prepared = document(text(of: request) ?? "")
        let found = try? prepare(prepared, request.operationName, .object(request.variables))
        return found.flatMap { $0.execution.firstField(of: $0.operation.selectionSet, on: $0.type) }
    }

    func text(of request: NetworkRequest) -> String? {
        request.text ?? request.documentID.flatMap { persistedDocuments[$0] }
    }

    func execute(
        _ text: String, _ operationName: String?, _ variables: JSONValue, event: (any Sendable)?
    ) -> JSONValue {
        let prepared = document(text)
        do throws(RequestProblems) {
            let (data, problems) = try run(prepared, operationName, variables, event)
            var members: [JSONValue.Member] = []
            if !problems.isEmpty { members.append(errors(problems, prepared)) }
            members.append(.init("data", data))
            return .object(members)
        } catch {
            return .object([errors(error.problems, prepared)])
        }
    }

    private func errors(_ problems: [RequestProblem], _ prepared: PreparedDocument) -> JSONValue.Member {
        .init("errors", .array(problems.map { $0.json(prepared.lines) }))
    }

    private func run(
        _ prepared: PreparedDocument, _ operationName: String?, _ variables: JSONValue, _ event: (any Sendable)?
    ) throws(RequestProblems) -> (data: JSONValue, problems: [RequestProblem]) {
        let (execution, operation, type) = try prepare(prepared, operationName, variables)
        guard (operation.kind == .subscription) == (event != nil) else {
            let message =
                event == nil ? "This service does not execute subscriptions." : "Only a subscription has events."
            throw RequestProblems(message, at: [operation.span])
        }
        let data = try execution.run(operation.selectionSet, on: type, root: event ?? root)
        return (data, execution.problems)
    }

    private func prepare(
        _ prepared: PreparedDocument, _ operationName: String?, _ variables: JSONValue, isIncremental: Bool = false
    ) throws(RequestProblems) -> (execution: Execution, operation: OperationDefinition, type: SchemaType) {
        guard prepared.problems.isEmpty else { throw RequestProblems(prepared.problems) }
        let index = try prepared.operation(named: operationName)
        let operation = prepared.operations[index]
        guard let type = schema.rootType(for: operation.kind) else {
            throw RequestProblems("This service has no operations of this kind.", at: [operation.span])
        }
        let values = try VariableValues(variables, for: operation, schema: schema)
        try values.check(prepared.conditions[index])
        let execution = Execution(
            schema: schema,
            resolvers: resolvers,
            values: self.values,
            fragments: prepared.fragments,
            variables: values,
            operationName: operation.name?.text,
            limits: limits,
            isIncremental: isIncremental
        )
        return (execution, operation, type)
    }

    func document(_ text: String) -> PreparedDocument {
        if let known = documents.withLock({ $0[text] }) { return known }
        let prepared = PreparedDocument(text: text, schema: schema, added: addedDirectives)
        documents.withLock { $0[text] = prepared }
        return prepared
    }

    // MARK: - Conduct of the network

    /// The time that the network takes for each response from now on; with zero it answers at once.
    public var delay: Duration {
        get { conduct.withLock(\.delay) }
        set { conduct.withLock { $0.delay = newValue } }
    }

    /// The number of requests that the network received, failed requests included.
    public var requestCount: Int { conduct.withLock(\.requestCount) }

    /// Makes every request from now on fail with this error, after the delay; nil ends the failures.
    public func fail(_ error: (any Error)?) {
        let failure: (@Sendable (NetworkRequest) -> (any Error)?)? = if let error { { _ in error } } else { nil }
        conduct.withLock { $0.failure = failure }
    }

    /// Sets a closure that decides for each request, after the delay, whether the request fails.
    public func fail(_ decide: @escaping @Sendable (NetworkRequest) -> (any Error)?) {
        conduct.withLock { $0.failure = decide }
    }
}

extension LocalService: NetworkLayer {
    /// Waits for the delay, then fails or executes the request.
    ///
    /// - Throws: The error that `fail` set, or `CancellationError` if the task is cancelled.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try await begin(request)
        guard let text = text(of: request) else { return unknownDocument(request) }
        let response = execute(
            text,
            operationName: request.operationName,
            variables: .object(request.variables)
        )
        return NetworkResponse(body: response.jsonBytes)
    }

    /// Gives the response of `send`. If the service has an incremental format, and the request asks for parts, each
    /// payload is a response of its own, and comes after the delay.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        guard incremental != nil, request.kind != .subscription else {
            return .delivering { [self] deliver in try await deliver(try await send(request)) }
        }
        return .delivering { [self] deliver in
            try await begin(request)
            guard let text = text(of: request) else { return try await deliver(unknownDocument(request)) }
            let payloads = executeInParts(
                text, operationName: request.operationName, variables: .object(request.variables))
            for (index, payload) in payloads.enumerated() {
                if index > 0 { try await wait() }
                let hasNext = index < payloads.count - 1
                try await deliver(NetworkResponse(body: payload.jsonBytes, hasNext: hasNext))
            }
        }
    }

    /// Counts a request, waits for the delay, and fails as `fail` says.
    private func begin(_ request: NetworkRequest) async throws {
        conduct.withLock { $0.requestCount += 1 }
        try await wait()
        if let error = conduct.withLock(\.failure)?(request) { throw error }
    }

    private func wait() async throws {
        let delay = self.delay
        if delay > .zero { try await BoundedTime.sleep(for: delay, on: clock) }
        try Task.checkCancellation()
    }

    private func unknownDocument(_ request: NetworkRequest) -> NetworkResponse {
        let message = "There is no document with the id \"\(request.documentID ?? "")\"."
        let response: JSONValue = ["errors": [["message": .string(message)]]]
        return NetworkResponse(body: response.jsonBytes)
    }
}

/// Documents that were executed before. The cache is emptied when it is full, of documents or of text.
private struct DocumentCache {
    private static let capacity = 512
    /// The bytes of text that are kept. A tree is many times as large as its text.
    private static let textCapacity = 4 << 20
    private var documents: [String: PreparedDocument] = [:]
    private var textSize = 0

    subscript(text: String) -> PreparedDocument? {
        get { documents[text] }
        set {
            let size = text.utf8.count
            if documents.count >= Self.capacity || textSize + size > Self.textCapacity {
                documents.removeAll(keepingCapacity: true)
                textSize = 0
            }
            textSize += size
            documents[text] = newValue
        }
    }
}
