import Baton

/// The credential of an `AuthenticationInterceptor`: loaded once, refreshed once for all requests that need it.
///
/// State: guarded by a lock of its own, a leaf. Loading and refreshing run in tasks of their own, which no request
/// cancels, because an interrupted refresh may lose the old credential and the new one.
final class SharedCredential: Sendable {
    typealias Load = @Sendable () async throws -> Credential?
    typealias Refresh = @Sendable (Credential?) async throws -> Credential?

    /// The credential for one request, and the state in which it was given.
    struct Grant: Sendable {
        let credential: Credential?
        /// The number of resets before the grant.
        fileprivate let session: Int
        /// The number of new credentials before the grant.
        fileprivate let revision: Int
        /// The number of failed refreshes before the grant.
        fileprivate let failures: Int
    }

    private struct State {
        var session = 0
        var revision = 0
        var failures = 0
        var failure: (any Error)?
        var isLoaded = false
        var credential: Credential?
        var flight: Flight<Void>?

        var grant: Grant {
            Grant(credential: credential, session: session, revision: revision, failures: failures)
        }
    }

    private enum Step {
        case done(Grant?)
        case fail(any Error)
        case join(Flight<Void>)
        case begin(Flight<Void>, rejected: Credential?)
    }

    /// The innermost loading or refreshing to which the current task belongs.
    @TaskLocal private static var renewal: Renewal?

    /// One loading or refreshing. Tasks that it starts inherit this object, which means nothing after the loading or
    /// refreshing is over.
    private final class Renewal: Sendable {
        let outer: Renewal?
        private let credential: Guarded<ObjectIdentifier?>

        init(of credential: SharedCredential, in outer: Renewal?) {
            self.outer = outer
            self.credential = Guarded(ObjectIdentifier(credential))
        }

        var isGoingOn: Bool { credential.withLock { $0 != nil } || outer?.isGoingOn == true }

        func end() { credential.withLock { $0 = nil } }

        func isOf(_ other: SharedCredential) -> Bool {
            credential.withLock { $0 == ObjectIdentifier(other) } || outer?.isOf(other) == true
        }
    }

    /// True in a task that loads or refreshes any credential, because requests wait for such a task.
    static var isRenewing: Bool { renewal?.isGoingOn ?? false }

    private let state = Guarded(State())
    private let load: Load
    private let refresh: Refresh

    init(load: @escaping Load, refresh: @escaping Refresh) {
        self.load = load
        self.refresh = refresh
    }

    var session: Int { state.withLock(\.session) }

    /// Returns true if a request belongs to the loading or the refreshing itself, or has a credential of its own.
    func leavesAlone(_ request: NetworkRequest) -> Bool {
        if Self.renewal?.isOf(self) == true { return true }
        // The name of the header is unknown before the first credential.
        let header = state.withLock { $0.credential?.header }
        return header.map { request.header($0) != nil } ?? false
    }

    /// Forgets the credential. The result of a loading or refreshing that runs now is dropped.
    func reset() {
        let flight = state.withLock { state in
            let flight = state.flight
            state = State(session: state.session + 1, revision: state.revision + 1, failures: state.failures)
            return flight
        }
        // The waiting requests look at the state again.
        flight?.end(.success(()))
    }

    /// Returns the credential for a request, after a refresh that is under way. Loads the credential if there is none
    /// so far.
    func current() async throws -> Grant {
        while true {
            let step: Step = state.withLock { state in
                if let flight = state.flight { return .join(flight) }
                if state.isLoaded { return .done(state.grant) }
                let flight = Flight<Void>()
                state.flight = flight
                return .begin(flight, rejected: nil)
            }
            switch step {
            case .done(let grant?): return grant
            case .begin(let flight, _):
                let load = load
                begin(flight, load)
                try await flight.value()
            case .join(let flight): try await flight.value()
            case .done(nil), .fail: throw CancellationError()
            }
        }
    }

    /// Returns a newer credential for a request that was rejected; nil if there is none.
    ///
    /// Refreshes only if the rejected credential is the newest one, and no refresh has failed since the grant.
    func replacement(for rejected: Grant) async throws -> Grant? {
        while true {
            let step: Step = state.withLock { state in
                guard state.session == rejected.session else { return .done(nil) }
                guard state.revision == rejected.revision else {
                    return .done(state.credential == nil ? nil : state.grant)
                }
                if let failure = state.failure, state.failures > rejected.failures { return .fail(failure) }
                if let flight = state.flight { return .join(flight) }
                let flight = Flight<Void>()
                state.flight = flight
                return .begin(flight, rejected: state.credential)
            }
            switch step {
            case .done(let grant): return grant
            case .fail(let error): throw error
            case .join(let flight): try await flight.value()
            case .begin(let flight, let credential):
                let refresh = refresh
                begin(flight) { try await refresh(credential) }
                try await flight.value()
            }
        }
    }

    private func begin(_ flight: Flight<Void>, _ work: @escaping Load) {
        let renewal = Renewal(of: self, in: Self.renewal)
        Task {
            defer { renewal.end() }
            do {
                let credential = try await Self.$renewal.withValue(renewal) { try await work() }
                end(flight) { state in
                    state.revision += 1
                    state.isLoaded = true
                    state.credential = credential
                    state.failure = nil
                }
                flight.end(.success(()))
            } catch {
                end(flight) { state in
                    guard state.isLoaded else { return }
                    state.failures += 1
                    state.failure = error
                }
                flight.end(.failure(error))
            }
        }
    }

    /// Changes the state, unless the flight was given up by a reset.
    private func end(_ flight: Flight<Void>, _ change: @Sendable (inout State) -> Void) {
        state.withLock { state in
            guard state.flight === flight else { return }
            state.flight = nil
            change(&state)
        }
    }
}
