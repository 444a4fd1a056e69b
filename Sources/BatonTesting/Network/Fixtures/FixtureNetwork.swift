public import Baton
import Foundation

/// Records the exchanges of another network into a text that one can read and edit, and replays them in tests.
///
///     let recorder = FixtureNetwork(recording: HTTPNetwork(url: endpoint))
///     // ... use an environment over the recorder
///     try recorder.save(to: "Fixtures/films.txt")
///
///     let network = try FixtureNetwork(replaying: "Fixtures/films.txt")
///
/// A request is answered by an exchange of the same kind, operation and variables, in any order of the variables'
/// members. If there are several, each request takes the next one. Another request fails with ``FixtureError``.
///
/// Recorded are the operation, its variables, the bodies of the responses and the errors. Headers, ids, texts, metadata
/// and times are not, so that no credentials get into a file, and so that recording the same again gives the same
/// text. The exchanges are sorted by operation and variables.
///
/// Every method may be called from any thread.
public final class FixtureNetwork: NetworkLayer {
    /// An exchange that waits for the test.
    private struct Pause {
        let owner: RequestScope.Owner?
        let continuation: CheckedContinuation<Void, Never>

        func end() {
            owner?.wakes()
            continuation.resume()
        }
    }

    private struct State {
        var exchanges: [FixtureExchange]
        /// How many exchanges of a key were used.
        var used: [FixtureExchange.Key: Int] = [:]
        /// The pauses that will not wait, since the test has let them go on before.
        var resumptions = 0
        /// The exchanges at a pause, by numbers that ascend.
        var waiters: [Int: Pause] = [:]
        var lastWaiter = 0
    }

    private let source: (any NetworkLayer)?
    private let clock: any Clock<Duration>
    private let state: Guarded<State>

    /// Passes requests on to a network and records them.
    public init(recording network: any NetworkLayer) {
        RequestScope.watch()
        source = network
        clock = ContinuousClock()
        state = Guarded(State(exchanges: []))
    }

    /// Replays the exchanges of a text.
    ///
    /// - Parameters:
    ///   - text: The exchanges, as a file of them has them.
    ///   - clock: The clock on which pauses with a time are waited for.
    /// - Throws: ``FixtureError/malformed(line:_:)``.
    public init(text: String, clock: any Clock<Duration> = ContinuousClock()) throws(FixtureError) {
        RequestScope.watch()
        source = nil
        self.clock = clock
        state = Guarded(State(exchanges: try FixtureText.exchanges(in: text)))
    }

    /// Replays the exchanges of a file.
    ///
    /// - Throws: ``FixtureError``.
    public convenience init(
        replaying path: String, clock: any Clock<Duration> = ContinuousClock()
    ) throws(FixtureError) {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .file("'\(path)' could not be read")
        }
        try self.init(text: text, clock: clock)
    }

    /// The exchanges as text, those of this run if the network records.
    public var text: String {
        let exchanges = state.withLock(\.exchanges)
        // The order in which concurrent requests began is a matter of chance.
        let sorted = exchanges.enumerated().sorted { left, right in
            let (first, second) = (left.element.key.order, right.element.key.order)
            return first == second ? left.offset < right.offset : first.lexicographicallyPrecedes(second)
        }
        return FixtureText.text(of: sorted.map(\.element))
    }

    /// Writes the text into a file, whole or not at all.
    ///
    /// - Throws: ``FixtureError/file(_:)``.
    public func save(to path: String) throws(FixtureError) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw .file("'\(path)' could not be written")
        }
    }

    /// Lets the exchange go on that has waited longest at a `--- pause`; if none waits, the next one does not.
    public func resume() {
        let waiter = state.withLock { state -> Pause? in
            guard let id = state.waiters.keys.min() else {
                state.resumptions += 1
                return nil
            }
            return state.waiters.removeValue(forKey: id)
        }
        waiter?.end()
    }

    /// Returns the first response.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for try await response in responses(to: request) { return response }
        try Task.checkCancellation()
        throw RelayError.noResponse
    }

    /// Returns the responses of the recorded exchange, or those of the other network.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        if carriesRequests { RequestScope.owner?.isHeld() }
        return .delivering { [self] deliver in
            if let source {
                try await record(request, source, deliver)
            } else {
                try await replay(request, deliver)
            }
        }
    }

    /// True if every answer is from a fixture or from the test.
    private var carriesRequests: Bool {
        source.map { $0 is MockNetwork || ($0 as? FixtureNetwork)?.carriesRequests == true } ?? true
    }

    // MARK: - Recording

    private func record(
        _ request: NetworkRequest, _ source: any NetworkLayer, _ deliver: NetworkInterceptor.Deliver
    ) async throws {
        let index = state.withLock { state in
            state.exchanges.append(FixtureExchange(key: FixtureExchange.Key(request), steps: [.open]))
            return state.exchanges.count - 1
        }
        func note(_ step: FixtureExchange.Step?, isOver: Bool) {
            state.withLock { state in
                // The last step says that the exchange goes on, until it ends.
                state.exchanges[index].steps.removeLast()
                if let step { state.exchanges[index].steps.append(step) }
                if !isOver { state.exchanges[index].steps.append(.open) }
            }
        }
        do {
            for try await response in source.responses(to: request) {
                note(.response(response.body, hasNext: response.hasNext), isOver: !response.hasNext)
                try await deliver(response)
                if !response.hasNext { return }
            }
        } catch {
            // An exchange that nobody waits for any more stays open in the file.
            if !Task.isCancelled, !(error is CancellationError) { note(.failure(FixtureFailure(error)), isOver: true) }
            throw error
        }
        try Task.checkCancellation()
        note(nil, isOver: true)
    }

    // MARK: - Replaying

    private func replay(_ request: NetworkRequest, _ deliver: NetworkInterceptor.Deliver) async throws {
        for step in try next(for: request).steps {
            switch step {
            case .response(let body, let hasNext):
                try await deliver(NetworkResponse(body: body, hasNext: hasNext))
            case .pause(let duration?): try await BoundedTime.sleep(for: duration, on: clock)
            case .pause(nil): try await pause()
            case .failure(let failure): throw failure.error
            case .open:
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                let owner = RequestScope.owner
                owner?.rests()
                for await _ in stream {}
                owner?.wakes()
                continuation.finish()
            }
            try Task.checkCancellation()
        }
    }

    private func next(for request: NetworkRequest) throws -> FixtureExchange {
        let key = FixtureExchange.Key(request)
        return try state.withLock { state in
            let recorded = state.exchanges.filter { $0.key == key }
            let count = state.used[key, default: 0]
            guard !recorded.isEmpty else {
                throw RelayError.transport(
                    FixtureError.notRecorded(key.title, nearest: key.nearest(in: state.exchanges.map(\.key))))
            }
            guard count < recorded.count else {
                throw RelayError.transport(FixtureError.usedUp(key.title, recorded: recorded.count))
            }
            state.used[key] = count + 1
            return recorded[count]
        }
    }

    private func pause() async throws {
        let owner = RequestScope.owner
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    if state.resumptions > 0 {
                        state.resumptions -= 1
                        return true
                    }
                    state.waiters[id] = Pause(owner: owner, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() } else { owner?.rests() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.end()
        }
    }
}
