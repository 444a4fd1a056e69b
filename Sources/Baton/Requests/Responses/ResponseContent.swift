/// The content of a response, without the type of its data. It retains the operation, unless `read` of an environment
/// has made it.
final class ResponseContent: Sendable {
    let operation: BoundOperation
    let environment: RelayEnvironment
    /// The root of the data; nil if there is no data.
    let row: GeneratedCode.Row?
    /// The problems of the read.
    let problems: ReadProblems?
    /// The place of the first field that the data lacks.
    let missingField: FieldLocation?
    let errors: [GraphQLError]
    let extensions: JSONValue?
    /// True if the data was in the store, without a request or after a failed one.
    let isStored: Bool
    /// True if the server sent no data.
    let isNull: Bool
    private let isRetained: Bool
    /// The bodies of the payloads; none if the data was in the store.
    private let bodies: PayloadBodies

    /// Reads the data of a payload that has landed in the store.
    ///
    /// - Parameter parts: The reads of the parts before this one. The new read shares what has not changed, and takes
    ///   their place.
    init(
        _ payload: StoredPayload, of operation: BoundOperation, in environment: RelayEnvironment,
        after parts: ReadParts? = nil
    ) {
        environment.operations.retain(operation)
        self.operation = operation
        self.environment = environment
        isNull = payload.presence != .object
        (row, problems, missingField) =
            isNull
            ? (nil, nil, nil)
            : Self.read(payload.data ?? Self.read(operation, in: environment, after: parts), operation, environment)
        errors = payload.errors
        extensions = payload.extensions
        bodies = payload.bodies
        isStored = false
        isRetained = true
    }

    /// Reads the data in the store.
    init(
        stored operation: BoundOperation, errors: [GraphQLError], in environment: RelayEnvironment,
        isRetained: Bool = true
    ) {
        if isRetained { environment.operations.retain(operation) }
        self.isRetained = isRetained
        self.operation = operation
        self.environment = environment
        (row, problems, missingField) = Self.read(environment.store.read(operation), operation, environment)
        self.errors = errors
        extensions = nil
        bodies = PayloadBodies()
        isStored = true
        isNull = false
    }

    deinit {
        if isRetained { environment.operations.release(operation) }
    }

    /// The newest read of a response in parts. Without it, each part would cost as much as all before it (benchmark
    /// `parts.growth-100k`).
    final class ReadParts: Sendable {
        /// State: guarded by a lock of its own, a leaf.
        private let newest = Guarded<Dependencies?>(nil)

        func read(_ operation: BoundOperation, _ store: Store) -> RowResult {
            let outcome = store.read(operation, after: newest.withLock(\.self))
            newest.withLock { $0 = outcome.dependencies }
            return outcome
        }
    }

    private static func read(_ operation: BoundOperation, in environment: RelayEnvironment, after parts: ReadParts?)
        -> RowResult
    {
        parts?.read(operation, environment.store) ?? environment.store.read(operation)
    }

    private static func read(_ outcome: RowResult, _ operation: BoundOperation, _ environment: RelayEnvironment)
        -> (GeneratedCode.Row?, ReadProblems?, FieldLocation?)
    {
        let missing =
            outcome.isMissingData && operation.artifact.isSent
            ? environment.missingField(of: operation.reader, at: operation.root) : nil
        return (outcome.row, outcome.problems, missing)
    }

    /// Reports the problems of the read to the log.
    func report() {
        environment.report(problems, of: operation)
        if let missingField { environment.reportMissing(operation.artifact.name, operation, missingField) }
    }

    /// The payloads as JSON, or the current data of the store.
    var json: JSONValue {
        if let value = ResponseJSON.value(of: bodies, streams: operation.plans.write.streamLabels) { return value }
        return ["data": environment.store.json(of: operation)]
    }
}
