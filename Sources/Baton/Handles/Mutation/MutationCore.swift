/// The part of a mutation handle that commits and observers refer to. It owns a `MutationMachine` and performs its
/// effects.
///
/// State: that of `shell`.
final class MutationCore<Operation: GraphQLMutation>: MachineOwner, HandleCore, Resettable, Closable {
    typealias Data = Operation.Data
    typealias Update = @Sendable (RecordSourceProxy, Operation.Data) throws -> Void
    typealias Decisions = MutationMachine<GraphQLResponse<Operation>>

    let environment: RelayEnvironment
    let observers = Observers()
    let component = Operation.artifact.name
    private let configuration: RequestConfiguration
    private let shell = Shell(Decisions())

    init(_ environment: RelayEnvironment, _ configuration: RequestConfiguration) {
        self.environment = environment
        self.configuration = configuration
        environment.handles.add(self)
    }

    var isFetching: Bool { shell.look { $0.isFetching } }
    var response: GraphQLResponse<Operation>? { shell.look { $0.response } }

    func reading() -> Reading { shell.look { $0.reading } }

    func commit(
        _ mutation: Operation, _ optimistic: OptimisticUpdate<Operation>?, _ serial: String?, _ update: Update?,
        _ configuration: RequestConfiguration? = nil
    ) async throws(RelayError) -> GraphQLResponse<Operation> {
        environment.reportCommitOfFrame(component)
        let stop = CommitStop()
        environment.activity.commitStarted()
        guard case .begun(let number)? = send(.began(stop, generation: environment.store.version.generation)) else {
            throw .cancelled
        }
        do throws(RelayError) {
            let response = try await environment.commit(
                mutation, optimistic, serial, configuration ?? self.configuration, update, stop)
            // A reset may have come since the response was made.
            if case .dropped? = send(.ended(number, response, Self.content(of: response))) {
                throw RelayError.cancelled
            }
            return response
        } catch {
            _ = send(.ended(number, nil, .failure(error)))
            throw error
        }
    }

    /// What is shown of a response, as a query handle would show it.
    private static func content(of response: GraphQLResponse<Operation>) -> Reading.Content {
        if let failure = response.failure { return .failure(failure) }
        return .data(response.data?.__row)
    }

    func cancel() { shell.send(.cancelled, for: self) }

    func reset(asksAgain: Bool) {
        shell.send(.emptied(generation: environment.store.version.generation), for: self)
    }

    func close() {
        environment.handles.remove(self)
        observers.close()
    }

    /// Sends an event of a commit, and returns what the caller is told.
    private func send(_ event: Decisions.Event) -> Decisions.Notice? {
        var notice: Decisions.Notice?
        shell.send(event, for: self) { effect in
            if case .tell(let told) = effect { notice = told }
            return nil
        }
        return notice
    }

    // MARK: - Effects

    func answer(_ effect: Decisions.Caller) -> Decisions.Event? {
        switch effect {
        case .tell, .discard: nil
        }
    }

    func perform(_ effect: Decisions.Queued) {
        switch effect {
        case .notify: observers.notify()
        case .stop(let stop): stop.stop()
        case .countEnd: environment.activity.commitEnded()
        }
    }
}
