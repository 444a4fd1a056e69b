import Baton

/// Runs asynchronous work with a time limit, on a clock that a test can control.
enum Deadline {
    /// Returns the result of `work` or rethrows its error; throws `late` when the time limit is over first.
    ///
    /// After the time limit, the task of `work` is cancelled, and `run` does not wait for its end.
    static func run<Value: Sendable>(
        within duration: Duration,
        on clock: any Clock<Duration>,
        orThrow late: any Error,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let race = Race<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let worker = Task {
                    do { race.end(.success(try await work())) } catch { race.end(.failure(error)) }
                }
                let timer = timer(duration, on: clock) {
                    race.end(.failure(late))
                    return false
                }
                race.begin(continuation, [worker, timer])
            }
        } onCancel: {
            race.end(.failure(CancellationError()))
        }
    }

    /// Starts a task that calls `fire` after each `duration`, until `fire` returns false or the task is cancelled.
    ///
    /// The task does not count as a sleeping request of the environment, because the watched request goes on.
    static func timer(
        _ duration: Duration,
        on clock: any Clock<Duration>,
        repeating fire: @escaping @Sendable () -> Bool
    ) -> Task<Void, Never> {
        RequestScope.$owner.withValue(nil) {
            Task {
                repeat {
                    guard (try? await BoundedTime.sleep(for: duration, on: clock)) != nil else { return }
                } while fire()
            }
        }
    }
}

/// Keeps the first outcome of a race between work, timer and cancellation, and cancels the tasks that lost.
private final class Race<Value: Sendable>: Sendable {
    private enum State {
        case waiting
        case running(CheckedContinuation<Value, any Error>, [Task<Void, Never>])
        case ended(Result<Value, any Error>)
    }

    private let state = Guarded(State.waiting)

    func begin(_ continuation: CheckedContinuation<Value, any Error>, _ tasks: [Task<Void, Never>]) {
        let early: Result<Value, any Error>? = state.withLock { state in
            if case .ended(let outcome) = state { return outcome }
            state = .running(continuation, tasks)
            return nil
        }
        guard let early else { return }
        for task in tasks { task.cancel() }
        continuation.resume(with: early)
    }

    func end(_ outcome: Result<Value, any Error>) {
        let (continuation, tasks) = state.withLock {
            state -> (CheckedContinuation<Value, any Error>?, [Task<Void, Never>]) in
            switch state {
            case .ended: return (nil, [])
            case .waiting:
                state = .ended(outcome)
                return (nil, [])
            case .running(let continuation, let tasks):
                state = .ended(outcome)
                return (continuation, tasks)
            }
        }
        for task in tasks { task.cancel() }
        continuation?.resume(with: outcome)
    }
}
