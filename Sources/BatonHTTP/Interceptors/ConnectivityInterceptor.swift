public import Baton

/// Notes whether the service can be reached, and looks for it during an outage.
///
///     let connectivity = ConnectivityInterceptor()
///     let network = HTTPNetwork(url: endpoint).intercepted(by: connectivity)
///     let environment = RelayEnvironment(network: network)
///     connectivity.attach(to: environment)
///
///     if let outage = connectivity.status.outage { show("offline: \(outage.error)") }
///     for await status in connectivity.statuses { redraw() }
///
/// An outage begins with a query or a mutation that fails because the service cannot be reached
/// (``isOutage(_:)``). It ends with the first response to any request. During an outage the interceptor looks for the
/// service after pauses that grow and are random: it repeats the query that has failed, or calls the probe that it was
/// made with. Other requests are sent as always. When the outage is over, the handles of the attached environments
/// fetch again (`RelayEnvironment.note(_:ifOlderThan:)`).
///
/// Put this step behind a cache, whose responses say nothing about the service. In front of a ``RetryInterceptor`` an
/// outage begins when the last attempt has failed, and behind it with the first one.
///
/// Every method may be called from any thread. A request costs two short locks, and what each sequence of statuses
/// costs. Without an outage there is no task and no timer.
///
/// ### Behavior
///
/// - A transport that fails, a response that does not come in time, and a status of 500 and more begin an outage.
/// - A response with errors, a status below 500 and a cancelled request begin none.
/// - A failure counts only if no request that began later has been answered.
/// - The first response to any request ends the outage.
/// - At most one probe is under way, and a response to another request ends it.
/// - The pauses before probes grow up to the bound of the policy.
/// - An outage that follows another one within its last pause continues with longer pauses.
/// - A mutation is never repeated; the last query is sent in its place.
/// - The response to a probe changes no data.
/// - A sequence of statuses begins with the current one, and has the newest one always and in order.
/// - The status is that of a service that can be reached before handles fetch again.
/// - Subscriptions are passed on and say nothing.
/// - The end of the interceptor ends the search and the sequences.
public final class ConnectivityInterceptor: NetworkInterceptor {
    private let policy: ReconnectPolicy
    private let clock: any Clock<Duration>
    private let time: ElapsedTime
    private let random: RandomSource
    private let isOutage: @Sendable (RelayError) -> Bool
    private let probe: (@Sendable () async throws -> Void)?
    private let state = Guarded(ConnectivityState())

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - policy: The pauses before probes. A longer pause that the server asks for with `Retry-After` is kept, up to
    ///     ten minutes. After the greatest number of attempts only the requests of the application find the service.
    ///   - clock: The clock that measures the pauses; in a test with a manual clock that of the environment.
    ///   - random: The source of the jitter.
    ///   - isOutage: Returns true for failures that mean that the service cannot be reached.
    ///   - probe: Asks the service for something cheap, and throws if it cannot be reached. Without it, the query that
    ///     has failed is sent again.
    public init(
        _ policy: ReconnectPolicy = ReconnectPolicy(), clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        isOutage: @escaping @Sendable (RelayError) -> Bool = ConnectivityInterceptor.isOutage,
        probe: (@Sendable () async throws -> Void)? = nil
    ) {
        self.policy = policy
        self.clock = clock
        time = ElapsedTime(on: clock)
        self.random = RandomSource(random)
        self.isOutage = isOutage
        self.probe = probe
    }

    deinit {
        let (search, listeners) = state.withLock { ($0.search?.task, Array($0.listeners.values)) }
        search?.cancel()
        for listener in listeners { listener.finish() }
    }

    // MARK: - Telling

    /// Whether the service can be reached, and what is under way.
    public var status: Status { state.withLock(\.status) }

    /// The current status and the newer ones, until the interceptor is deinitialized.
    ///
    /// Statuses that follow each other faster than they are taken are skipped, but for the newest one. Each sequence
    /// begins anew, and one sequence is for one loop.
    public var statuses: AsyncStream<Status> {
        let (stream, continuation) = AsyncStream.makeStream(of: Status.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { $0.add(continuation) }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.remove(number) }
        }
        return stream
    }

    /// The time until the next probe: zero while one is under way, nil if none is to come.
    public var timeToProbe: Duration? {
        let (due, isProbing) = state.withLock { ($0.due, $0.status.outage?.isProbing) }
        return isProbing == true ? .zero : due.map { max(.zero, $0 - time.value) }
    }

    /// Has the handles of an environment fetch again after each outage: those with `Freshness.Triggers.networkReturned`
    /// whose last fetch has failed or is older than `age`. The environment is held weakly.
    public func attach(to environment: RelayEnvironment, ifOlderThan age: Duration = .zero) {
        state.withLock { $0.attach(environment, age) }
    }

    // MARK: - Requests

    /// Sends the request on, and notes whether the service can be reached.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        guard request.kind != .subscription else { return try await next(request, deliver) }
        let question = request.kind == .query ? ConnectivityState.Question(request: request, next: next) : nil
        let number = state.withLock { $0.begin(question) }
        let finding = await ask(request, number, next, deliver)
        let now = time.value
        let search = state.withLock { state in
            state.end(number, question, finding.outage, at: now, hasProbe: probe != nil)
        }
        if let search { start(search) }
        if finding.isReached { reached(by: number) }
        if let error = finding.error { throw error }
    }

    /// Sends a request, and says what that has shown of the service.
    private func ask(
        _ request: NetworkRequest, _ number: Int, _ next: Next, _ deliver: @escaping Deliver
    ) async -> Finding {
        let isRefused = Guarded(false)
        let watched = RequestReport.adding(to: request) { event in
            if case .refusedCredential = event { isRefused.withLock { $0 = true } }
        }
        do {
            try await next(watched) { response in
                self.reached(by: number)
                do { try await deliver(response) } catch {
                    isRefused.withLock { $0 = true }
                    throw error
                }
            }
            return Finding()
        } catch {
            let failure = RelayError(ofStep: error)
            if failure == .cancelled || Task.isCancelled || isRefused.withLock(\.self) { return Finding(error: error) }
            return Finding(error: error, outage: isOutage(failure) ? failure : nil, isReached: failure.isAnswered)
        }
    }

    /// Notes a response: an outage is over.
    private func reached(by number: Int) {
        let now = time.value
        guard let end = state.withLock({ $0.reach(by: number, at: now, policy) }) else { return }
        end.search?.cancel()
        for attachment in end.environments {
            attachment.environment?.note(.networkReturned, ifOlderThan: attachment.age)
        }
    }

    // MARK: - The search

    /// Starts to look for the service. The activity of the failed request counts the search among its requests, so that
    /// whoever moves a manual clock waits for it.
    private func start(_ search: Int) {
        let owner = RequestScope.owner?.another
        owner?.requestStarted()
        let task = Task.detached { [weak self, clock] in
            await RequestScope.run(countedIn: owner) {
                while let pause = self?.nextPause(of: search),
                    (try? await BoundedTime.sleep(for: pause, on: clock)) != nil
                {
                    await self?.look(search)
                }
            }
            owner?.requestEnded()
        }
        if !state.withLock({ $0.keep(task, of: search) }) { task.cancel() }
    }

    /// The pause before the next probe; nil if the search is over.
    private func nextPause(of search: Int) -> Duration? {
        guard let (attempt, error) = state.withLock({ $0.nextAttempt(of: search) }) else { return nil }
        let pause = random.delay(policy, attempt: attempt, after: error)
        let due = pause.map { time.value + $0 }
        return state.withLock { $0.wait(until: due, of: search) } ? pause : nil
    }

    /// Asks the service for something.
    private func look(_ search: Int) async {
        guard let (number, question) = state.withLock({ $0.beginProbe(of: search) }) else { return }
        var finding = Finding(isReached: true)
        do {
            if let probe {
                try await probe()
            } else if let question {
                finding = await ask(question.request, number, question.next) { _ in throw CancellationError() }
            }
        } catch {
            let failure = RelayError(ofStep: error)
            finding = Finding(outage: isOutage(failure) ? failure : nil, isReached: failure.isAnswered)
        }
        if finding.isReached { return reached(by: number) }
        state.withLock { $0.endProbe(of: search, finding.outage) }
    }
}

/// What a request has shown of the service.
private struct Finding {
    var error: (any Error)?
    var outage: RelayError?
    /// True if the service has answered, though not with a response.
    var isReached = false
}

extension RelayError {
    /// True if the service itself has refused the request.
    fileprivate var isAnswered: Bool { status.map { $0 < 500 } ?? false }
}
