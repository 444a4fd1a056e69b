/// One answer to an operation: data, errors and extensions.
///
/// The operation is retained, as by ``RelayEnvironment/retain(_:)``, as long as a copy of the response exists. A
/// response that was fetched with `writeResultsToStore: false` has its own records.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
    /// The source of a response.
    public enum Source: Sendable, Hashable {
        /// A server.
        case network
        /// The store, without a request or after a failed one.
        case store
    }

    /// The data; nil if the server sent none, or if a non-null field has no value and no nullable field encloses it.
    public let data: Operation.Data?
    /// The reason why there is no data although the server sent some: a field with `@required(action: THROW)` has no
    /// value, or a field has an error under `@throwOnFieldError`.
    public let failure: RelayError?
    /// The complete `errors` of the answer.
    public let errors: [GraphQLError]
    /// The `extensions` of the answer.
    public let extensions: JSONValue?
    /// The source of the response.
    public let source: Source
    /// The place of the first field of ``data`` that the answer lacks; nil if it lacks none.
    ///
    /// Fields of fragments are checked when the fragments are read.
    public let missingField: FieldLocation?
    /// True if a field of ``data`` is missing. If the field is non-null, the enclosing data is missing too.
    public var isMissingData: Bool { missingField != nil }
    /// The problems of the read.
    let problems: ReadProblems?
    /// True if the server sent no data.
    let isNull: Bool
    private let keeper: Keeper
    private let bodies: [[UInt8]]

    /// Creates the response to an answer that has landed in the store.
    init(_ answer: Answer, of operation: BoundOperation, in environment: RelayEnvironment) {
        let isNull = answer.presence != .object
        let keeper = Keeper(operation, environment)
        self.init(
            isNull ? nil : keeper.read(), errors: answer.errors, extensions: answer.extensions, source: .network,
            isNull: isNull, keeper: keeper, bodies: answer.bodies)
    }

    /// Creates a response from the data in the store.
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

    /// Reports the problems of the read to the log.
    func report() {
        keeper.environment.report(problems, of: keeper.operation)
        if let missingField {
            keeper.environment.reportMissing(Operation.artifact.name, keeper.operation, missingField)
        }
    }

    /// The whole answer as JSON, with the fields of its fragments and all parts that have arrived. A response from the
    /// store gives the current data of the store.
    ///
    /// Each access reads the JSON anew, which takes time linear in its size.
    public var json: JSONValue {
        let operation = keeper.operation
        if let value = AnswerJSON.value(of: bodies, streams: operation.plans.write.streamLabels) { return value }
        return ["data": keeper.environment.store.json(of: operation)]
    }

    /// Returns the current data of a fragment in this response.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        keeper.environment.snapshot(of: reference)?.data
    }
}

extension GraphQLResponse: Equatable {
    /// Compares data, failure, errors and extensions.
    public static func == (left: GraphQLResponse, right: GraphQLResponse) -> Bool {
        left.data == right.data && left.failure == right.failure && left.errors == right.errors
            && left.extensions == right.extensions
    }
}
