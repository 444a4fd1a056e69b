/// One answer to an operation: data, errors and extensions.
///
/// It keeps what its fragment references point at, for as long as it lives, where it carries its own records; otherwise they live in the environment's
/// store.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
    /// Where a response comes from.
    public enum Source: Sendable, Hashable {
        /// A server.
        case network
        /// The store, without a request or after one that failed.
        case store
    }

    /// The data; nil if the server sent none, or if a value that may not be null is missing all the way up to the root.
    public let data: Operation.Data?
    /// Why there is no data although the server sent some: a field with `@required(action: THROW)` has no value, or one has an error under `@throwOnFieldError`.
    public let failure: RelayError?
    /// What the server sent under `errors`, whole.
    public let errors: [GraphQLError]
    /// What the server sent under `extensions`.
    public let extensions: JSONValue?
    /// Where it comes from.
    public let source: Source
    /// What the read of the data found besides.
    let problems: ReadProblems?
    /// The server sent no data.
    let isNull: Bool
    private let operation: BoundOperation
    private let store: Store
    private let bodies: [[UInt8]]

    /// What has landed in the store with an answer.
    init(_ answer: Answer, of operation: BoundOperation, in store: Store) {
        let isNull = answer.presence != .object
        self.init(
            isNull ? nil : Self.read(operation, in: store), errors: answer.errors, extensions: answer.extensions,
            source: .network, isNull: isNull, operation: operation, store: store, bodies: answer.bodies
        )
    }

    /// What the store holds.
    init(stored operation: BoundOperation, errors: [GraphQLError], in store: Store) {
        self.init(
            Self.read(operation, in: store), errors: errors, extensions: nil, source: .store, isNull: false,
            operation: operation, store: store, bodies: []
        )
    }

    private init(
        _ snapshot: Snapshot<Operation.Data>?, errors: [GraphQLError], extensions: JSONValue?, source: Source,
        isNull: Bool,
        operation: BoundOperation, store: Store, bodies: [[UInt8]]
    ) {
        data = snapshot?.data
        problems = snapshot?.problems
        failure = problems?.failure
        self.errors = errors
        self.extensions = extensions
        self.source = source
        self.isNull = isNull
        self.operation = operation
        self.store = store
        self.bodies = bodies
    }

    /// The whole answer as JSON, what fragments select included, with all the parts that had come; of a response from the store, what it holds now.
    ///
    /// Each access reads it anew, which takes time linear in its size.
    public var json: JSONValue {
        if let value = AnswerJSON.value(of: bodies, streams: operation.plans.write.streamLabels) { return value }
        return ["data": store.json(of: operation)]
    }

    /// The data of a fragment of this response at this moment.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        guard let bound = store.bind(reference) else { return nil }
        return store.read(Fragment.Data.self, at: bound.record, bound.selections, tracking: false).data
    }

    private static func read(_ operation: BoundOperation, in store: Store) -> Snapshot<Operation.Data> {
        store.read(Operation.Data.self, of: operation)
    }
}

extension GraphQLResponse: Equatable {
    /// Compares what the caller sees: data, errors and extensions.
    public static func == (left: GraphQLResponse, right: GraphQLResponse) -> Bool {
        left.data == right.data && left.failure == right.failure && left.errors == right.errors
            && left.extensions == right.extensions
    }
}
