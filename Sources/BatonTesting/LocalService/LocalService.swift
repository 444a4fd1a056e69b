public import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A GraphQL service inside the process: it executes operations against a schema with resolvers.
///
/// It is a `NetworkLayer`, so an app, a test or a demo runs on it without a server; `execute` can be called by itself.
/// The delay and the failures of its network can be changed at any time. Every method may be called from any thread,
/// and requests run side by side; resolvers guard their own state.
///
/// Execution follows the specification: arguments and variables are coerced, `@skip` and `@include` obeyed, results
/// coerced, nulls propagated, and the fields of a mutation run one after the other. A document is checked once, and
/// then only as far as execution relies on it.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Execution
public final class LocalService: Sendable {
    /// What a request may ask for before it is refused.
    public struct Limits: Sendable, Hashable {
        /// How deep objects may be nested in an answer; a field beyond that is an error.
        public var depth: Int
        /// How many fields an answer may have, counted with repetition; beyond that there is no answer, but an error.
        public var fields: Int

        /// Takes the defaults for what is left out.
        public init(depth: Int = 64, fields: Int = 1_000_000) {
            self.depth = depth
            self.fields = fields
        }
    }

    private let schema: Schema
    private let resolvers: ResolverTable
    private let root: any Sendable
    private let limits: Limits
    private let clock: any Clock<Duration>
    private let documents = Guarded(DocumentCache())
    private let conduct: Guarded<Conduct>

    /// How the network behaves at the moment, and what it did.
    private struct Conduct {
        var delay: Duration = .zero
        var failure: (@Sendable (NetworkRequest) -> RelayError?)?
        var requestCount = 0
    }

    /// Makes a service; throws everything that is wrong with the schema, and resolvers for what it does not have.
    ///
    /// - Parameters:
    ///   - schema: The schema in the schema definition language.
    ///   - resolvers: Where fields get their values.
    ///   - root: What the resolvers of root fields receive as their parent, and where root fields without one are
    ///     found.
    ///   - delay: How long each answer takes by way of `NetworkLayer`, on the clock.
    ///   - clock: What the delay is measured with; a `ManualClock` in tests.
    ///   - limits: What one request may ask for.
    public init(
        schema: String,
        resolvers: LocalResolvers,
        root: (any Sendable)? = nil,
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock(),
        limits: Limits = Limits()
    ) throws(LocalSchemaError) {
        self.schema = try LocalSchema.load(schema)
        self.resolvers = try ResolverTable(resolvers, schema: self.schema)
        self.root = root ?? EmptyRoot()
        self.limits = limits
        self.clock = clock
        conduct = Guarded(Conduct(delay: delay))
    }

    // MARK: - Execution

    /// Executes one operation of a document and gives the whole answer.
    ///
    /// A request that cannot be executed gives `errors` without `data`. Resolvers run on the calling thread.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - operationName: Which operation; may be left out if there is only one.
    ///   - variables: An object with the values of variables.
    public func execute(
        _ text: String,
        operationName: String? = nil,
        variables: JSONValue = .object([])
    ) -> JSONValue {
        let prepared = document(text)
        do throws(RequestProblems) {
            let (data, problems) = try run(prepared, operationName, variables)
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

    private func run(_ prepared: PreparedDocument, _ operationName: String?, _ variables: JSONValue)
        throws(RequestProblems) -> (data: JSONValue, problems: [RequestProblem])
    {
        guard prepared.problems.isEmpty else { throw RequestProblems(prepared.problems) }
        let index = try prepared.operation(named: operationName)
        let operation = prepared.operations[index]
        guard operation.kind != .subscription, let type = schema.rootType(for: operation.kind) else {
            throw RequestProblems("This service does not execute subscriptions.", at: [operation.span])
        }
        let values = try VariableValues(variables, for: operation, schema: schema)
        try values.check(prepared.conditions[index])
        let execution = Execution(
            schema: schema,
            resolvers: resolvers,
            fragments: prepared.fragments,
            variables: values,
            operationName: operation.name?.text,
            limits: limits
        )
        let data = try execution.run(operation.selectionSet, on: type, root: root)
        return (data, execution.problems)
    }

    private func document(_ text: String) -> PreparedDocument {
        if let known = documents.withLock({ $0[text] }) { return known }
        let prepared = PreparedDocument(text: text, schema: schema)
        documents.withLock { $0[text] = prepared }
        return prepared
    }

    // MARK: - Conduct of the network

    /// How long each answer takes from now on; zero answers at once.
    public var delay: Duration {
        get { conduct.withLock(\.delay) }
        set { conduct.withLock { $0.delay = newValue } }
    }

    /// How many requests came through the network so far, failed ones included.
    public var requestCount: Int { conduct.withLock(\.requestCount) }

    /// Lets every request from now on fail with this error, after the delay; nil lets them through again.
    public func fail(with error: RelayError?) {
        let failure: (@Sendable (NetworkRequest) -> RelayError?)? = if let error { { _ in error } } else { nil }
        conduct.withLock { $0.failure = failure }
    }

    /// Lets a closure decide, after the delay, which requests fail.
    public func fail(where decide: @escaping @Sendable (NetworkRequest) -> RelayError?) {
        conduct.withLock { $0.failure = decide }
    }
}

extension LocalService: NetworkLayer {
    /// Waits for the delay, then fails or executes; throws `CancellationError` if its task is cancelled meanwhile.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let delay = conduct.withLock { conduct in
            conduct.requestCount += 1
            return conduct.delay
        }
        if delay > .zero {
            try await clock.sleep(for: delay)
        }
        try Task.checkCancellation()
        if let error = conduct.withLock(\.failure)?(request) { throw error }
        let answer = execute(
            request.text,
            operationName: request.operationName,
            variables: .object(request.variables)
        )
        return NetworkResponse(body: answer.jsonBytes)
    }
}

/// The documents that were executed last; when it is full it starts anew.
private struct DocumentCache {
    private static let capacity = 512
    private var documents: [String: PreparedDocument] = [:]

    subscript(text: String) -> PreparedDocument? {
        get { documents[text] }
        set {
            if documents.count >= Self.capacity { documents.removeAll(keepingCapacity: true) }
            documents[text] = newValue
        }
    }
}
