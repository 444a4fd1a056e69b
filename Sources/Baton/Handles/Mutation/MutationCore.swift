/// The shell of a `MutationMachine`: the part of a mutation handle that commits and observers refer to.
///
/// State: guarded by a lock of its own.
final class MutationCore<Operation: GraphQLMutation>: HandleCore, Resettable {
    typealias Data = Operation.Data
    typealias Update = @Sendable (RecordSourceProxy, Operation.Data) throws -> Void

    private struct State {
        var machine = MutationMachine()
        var reading = Reading.nothing
        var response: GraphQLResponse<Operation>?
        /// The commits in flight, each with the generation of the store in which it began.
        var commits: [Int: (stop: CommitStop, generation: Int)] = [:]
        /// The generation of the store at the last reset.
        var generation = 0
    }

    let environment: RelayEnvironment
    let observers = Observers()
    let component = Operation.artifact.name
    private let configuration: RequestConfiguration
    private let state = Guarded(State(), .handle)

    init(_ environment: RelayEnvironment, _ configuration: RequestConfiguration) {
        self.environment = environment
        self.configuration = configuration
        environment.handles.add(self)
    }

    var isInFlight: Bool { state.withLock { $0.machine.isInFlight } }
    var response: GraphQLResponse<Operation>? { state.withLock { $0.response } }

    func reading() -> Reading { state.withLock { $0.reading } }

    func commit(
        _ mutation: Operation, _ optimistic: OptimisticUpdate<Operation>?, _ serial: String?, _ update: Update?,
        _ configuration: RequestConfiguration? = nil
    ) async throws(RelayError) -> GraphQLResponse<Operation> {
        let stop = CommitStop()
        let number = begin(stop)
        do throws(RelayError) {
            let response = try await environment.commit(
                mutation, optimistic, serial, configuration ?? self.configuration, update, stop)
            // A reset may have come since the response was made.
            guard end(number, response, Self.content(of: response)) else { throw RelayError.cancelled }
            return response
        } catch {
            if state.withLock({ $0.commits[number] != nil }) { end(number, nil, .failure(error)) }
            throw error
        }
    }

    /// What is shown of a response, as a query handle would show it.
    private static func content(of response: GraphQLResponse<Operation>) -> Reading.Content {
        if let failure = response.shownFailure { return .failure(failure) }
        return .data(response.data?.__row)
    }

    func cancel() {
        for commit in state.withLock({ Array($0.commits.values) }) { commit.stop.stop() }
    }

    func reset(asksAgain: Bool) {
        let generation = environment.store.version.generation
        // The old response is released outside the lock.
        let old = state.withLock { state -> (GraphQLResponse<Operation>?, Reading) in
            let old = (state.response, state.reading)
            state.generation = max(state.generation, generation)
            state.machine.forgetOutcome()
            state.response = nil
            state.reading = Reading(after: state.reading, .loading, changedBy: nil)
            return old
        }
        observers.notify()
        withExtendedLifetime(old) {}
    }

    func close() {
        environment.handles.remove(self)
        observers.close()
    }

    private func begin(_ stop: CommitStop) -> Int {
        environment.activity.commitStarted()
        let generation = environment.store.version.generation
        let number = state.withLock { state in
            let number = state.machine.begin()
            state.commits[number] = (stop, generation)
            state.reading = Reading(after: state.reading, state.reading.content, changedBy: nil)
            return number
        }
        observers.notify()
        return number
    }

    /// Ends a commit. Returns false if the store was emptied since it began, so that it shows nothing of its response.
    @discardableResult
    private func end(
        _ number: Int, _ response: GraphQLResponse<Operation>?, _ content: Reading.Content
    ) -> Bool {
        // The old response is released outside the lock.
        let (isCurrent, old) = state.withLock { state -> (Bool, (GraphQLResponse<Operation>?, Reading)) in
            let old = (state.response, state.reading)
            let isCurrent = state.commits.removeValue(forKey: number).map { $0.generation >= state.generation } ?? false
            var shown = state.reading.content
            if !isCurrent {
                state.machine.forget(number)
            } else if state.machine.end(number) {
                state.response = response
                shown = content
            }
            state.reading = Reading(after: state.reading, shown, changedBy: nil)
            return (isCurrent, old)
        }
        observers.notify()
        withExtendedLifetime(old) {}
        environment.activity.commitEnded()
        return isCurrent
    }
}
