/// One answer to an operation: data, errors and extensions.
///
/// Its operation is retained in the store, as by ``RelayEnvironment/retain(_:)``, until the last copy of the response
/// goes; a response that was fetched with
/// `writeResultsToStore: false` carries records of its own.
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
    /// Why there is no data although the server sent some: a field with `@required(action: THROW)` has no value, or one
    /// has an error under `@throwOnFieldError`.
    public let failure: RelayError?
    /// What the server sent under `errors`, whole.
    public let errors: [GraphQLError]
    /// What the server sent under `extensions`.
    public let extensions: JSONValue?
    /// Where it comes from.
    public let source: Source
    /// Where the first field is that the answer lacks and that ``data`` should hold; nil if it lacks none.
    ///
    /// Fragments are looked at when they are read.
    public let missingField: FieldLocation?
    /// True if a field that ``data`` should hold is missing. If its type is not null, the data around it has gone as
    /// well.
    public var isMissingData: Bool { missingField != nil }
    /// What the read of the data found besides.
    let problems: ReadProblems?
    /// The server sent no data.
    let isNull: Bool
    private let keeper: Keeper
    private let bodies: [[UInt8]]

    /// What has landed in the store with an answer.
    init(_ answer: Answer, of operation: BoundOperation, in environment: RelayEnvironment) {
        let isNull = answer.presence != .object
        let keeper = Keeper(operation, environment)
        self.init(
            isNull ? nil : keeper.read(), errors: answer.errors, extensions: answer.extensions, source: .network,
            isNull: isNull, keeper: keeper, bodies: answer.bodies)
    }

    /// What the store holds.
    init(stored operation: BoundOperation, errors: [GraphQLError], in environment: RelayEnvironment) {
        let keeper = Keeper(operation, environment)
        self.init(
            keeper.read(), errors: errors, extensions: nil, source: .store, isNull: false, keeper: keeper, bodies: [])
    }

    private init(
        _ snapshot: Snapshot<Operation.Data>?, errors: [GraphQLError], extensions: JSONValue?, source: Source,
        isNull: Bool, keeper: Keeper, bodies: [[UInt8]]
    ) {
        data = snapshot?.data
        problems = snapshot?.problems
        failure = problems?.failure
        missingField = snapshot?.isMissingData == true ? keeper.missingField() : nil
        self.errors = errors
        self.extensions = extensions
        self.source = source
        self.isNull = isNull
        self.keeper = keeper
        self.bodies = bodies
    }

    /// Retains the operation for all copies of a response.
    private final class Keeper: Sendable {
        let operation: BoundOperation
        let environment: RelayEnvironment

        init(_ operation: BoundOperation, _ environment: RelayEnvironment) {
            self.operation = operation
            self.environment = environment
            environment.operations.retain(operation)
        }

        deinit { environment.operations.release(operation) }

        func read() -> Snapshot<Operation.Data> { environment.store.read(Operation.Data.self, of: operation) }

        func missingField() -> FieldLocation {
            environment.missingField(of: operation.reader, at: operation.root)
        }
    }

    /// Tells the log what the read of the data found.
    func report() {
        keeper.environment.report(problems, of: keeper.operation)
        if let missingField {
            keeper.environment.reportMissing(Operation.artifact.name, keeper.operation, missingField)
        }
    }

    /// The whole answer as JSON, what fragments select included, with all the parts that had come; of a response from
    /// the store, what it holds now.
    ///
    /// Each access reads it anew, which takes time linear in its size.
    public var json: JSONValue {
        let operation = keeper.operation
        if let value = AnswerJSON.value(of: bodies, streams: operation.plans.write.streamLabels) { return value }
        return ["data": keeper.environment.store.json(of: operation)]
    }

    /// The data of a fragment of this response at this moment.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        keeper.environment.read(reference)
    }
}

extension GraphQLResponse: Equatable {
    /// Compares what the caller sees: data, errors and extensions.
    public static func == (left: GraphQLResponse, right: GraphQLResponse) -> Bool {
        left.data == right.data && left.failure == right.failure && left.errors == right.errors
            && left.extensions == right.extensions
    }
}
