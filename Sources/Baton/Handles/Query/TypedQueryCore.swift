/// A view of a handle's core with the type of its operation.
struct TypedQueryCore<Operation: GraphQLOperation>: TypedCore {
    typealias Data = Operation.Data

    let core: QueryCore

    func previousData(anyVariables: Bool) -> Data? {
        core.previousData(anyVariables: anyVariables).map { Data(__row: $0) }
    }

    /// Returns the current state. Variables and keys are compared here, because no code of the application may run
    /// inside a lock.
    func get(_ variables: Operation.Variables, fetchKey: (any Hashable & Sendable)?) -> QueryResult<Data> {
        guard let recording = Recording.current else { return untrackedGet(variables, fetchKey: fetchKey) }
        return trackedGet(variables, fetchKey, recording).result(of: Data.self)
    }

    /// Asks for a frame, and reports a frame that can never be up to date.
    @inline(never)
    private func trackedGet(
        _ variables: Operation.Variables, _ fetchKey: (any Hashable & Sendable)?, _ recording: Recording
    ) -> Reading {
        let (last, isOver) = core.lastAsked
        let isNew = !isOver && (last as? RequestedOperation<Operation>)?.isSame(variables, fetchKey) == false
        let wasFetching = core.isFetching
        _ = untrackedGet(variables, fetchKey: fetchKey)
        if isNew, recording.open?.hasRead(core.observers) == true {
            core.environment.log.report(.frameThatAsksTwice, at: core.component)
        } else if core.frameAsks.note(isNew: isNew, wasFetching: wasFetching) {
            core.environment.log.report(.frameThatAsksAnew, at: core.component)
        }
        let reading = recording.read(self)
        core.frameAsks.noteEnd(isFetching: core.isFetching)
        return reading
    }

    // Inlined, because generic code asks the runtime for the metadata of each type once in each function (benchmark
    // `get.unchanged-ns`).
    /// Returns the current state as `get` does, without a note of the read.
    @inline(__always)
    func untrackedGet(
        _ variables: Operation.Variables, fetchKey: (any Hashable & Sendable)?
    ) -> QueryResult<Data> {
        let changes = core.changes
        // In most frames nothing has changed, and this is all that happens.
        if let last = core.lastCall as? QueryCall<Operation>, last.changes == changes,
            last.requested.isSame(variables, fetchKey)
        {
            return last.result
        }
        return newest(variables, fetchKey, at: changes)
    }

    @inline(never)
    private func newest(
        _ variables: Operation.Variables, _ fetchKey: (any Hashable & Sendable)?, at changes: Int
    ) -> QueryResult<Data> {
        Retry.whileOthersMove {
            let (current, isOver) = core.lastAsked
            let typed = isOver ? nil : current as? RequestedOperation<Operation>
            guard let requested = typed, requested.isSame(variables, fetchKey) else {
                let known = typed.flatMap { $0.hasSame(variables) ? $0.operation : nil }
                let operation = known ?? core.environment.store.bind(Operation(variables: variables), retaining: true)
                let next = RequestedOperation<Operation>(operation, variables, fetchKey)
                return core.request(next, after: current, known == nil ? .operation : .fetchKey)?.result(of: Data.self)
            }
            let reading = core.reading()
            let result = reading.result(of: Data.self)
            let call = QueryCall<Operation>(requested, changes: changes, result)
            return core.remember(call, of: requested, reading, at: changes) ? result : nil
        }
    }
}

/// A requested query with the type of its variables.
private final class RequestedOperation<Operation: GraphQLOperation>: RequestedQuery {
    let operation: BoundOperation
    let key: (any Hashable & Sendable)?
    private let variables: Operation.Variables

    init(_ operation: BoundOperation, _ variables: Operation.Variables, _ key: (any Hashable & Sendable)?) {
        self.operation = operation
        self.key = key
        self.variables = variables
    }

    func following(_ event: BoundOperation) -> any RequestedQuery {
        RequestedOperation(event, variables, key)
    }

    func isSame(_ variables: Operation.Variables, _ key: (any Hashable & Sendable)?) -> Bool {
        FetchKey.isSame(self.key, key) && hasSame(variables)
    }

    func hasSame(_ variables: Operation.Variables) -> Bool {
        guard let refusal = operation.refusal else { return self.variables == variables }
        // Variables that are nested too deep must not be compared.
        let artifact = Operation.artifact
        let encoded = GeneratedCode.VariableEncoder.encode(
            variables, artifact.provided, operationName: artifact.name)
        return refusal == encoded.refusal
    }
}

/// A call of `get` and its result. The result is valid until a change is counted or the machine has an event.
private final class QueryCall<Operation: GraphQLOperation>: Sendable {
    let requested: RequestedOperation<Operation>
    let changes: Int
    let result: QueryResult<Operation.Data>

    init(_ requested: RequestedOperation<Operation>, changes: Int, _ result: QueryResult<Operation.Data>) {
        self.requested = requested
        self.changes = changes
        self.result = result
    }
}

/// The operation and the fetch key of a call of `get`. A new object replaces it when the handle is called with other
/// ones.
protocol RequestedQuery: AnyObject, Sendable {
    var operation: BoundOperation { get }
    var key: (any Hashable & Sendable)? { get }
    /// Returns the same call, whose data is that of an event.
    func following(_ event: BoundOperation) -> any RequestedQuery
}
