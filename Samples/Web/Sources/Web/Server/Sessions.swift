import Synchronization

/// The visitors who are signed in, by the token in their cookie.
protocol SessionKeeper: Sendable {
    /// The visitor of a session, whose time begins anew; nil if there is none.
    func visitor(_ token: Token) async throws -> Visitor?
    /// Begins a session under a token that did not exist before.
    func begin(_ visitor: Visitor) async throws -> Token
    func end(_ token: Token) async throws
    /// Adds a film to the favourites of a visitor, or takes it away.
    func mark(_ film: String, _ isMine: Bool, for token: Token) async throws
}

/// The visitors who are signed in at this process. They are forgotten when it ends; several processes share
/// ``RedisSessions``.
final class Sessions: SessionKeeper {
    private struct Session {
        var visitor: Visitor
        var lastUse: UInt64
        var end: ContinuousClock.Instant
    }

    private struct State {
        var sessions: [Token: Session] = [:]
        var time: UInt64 = 0

        mutating func tick() -> UInt64 {
            time += 1
            return time
        }
    }

    /// A visitor has no more favourites than this, and the site no more visitors: those who came longest ago are
    /// forgotten.
    static let mostFavorites = 500
    private static let mostVisitors = 100_000
    /// The time after which a session ends in which nothing was asked for.
    static let lifetime = Duration.seconds(12 * 3_600)

    private let state = Mutex(State())
    private let lifetime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - lifetime: The time after which a session ends in which nothing was asked for.
    ///   - now: The clock.
    init(
        lifetime: Duration = Sessions.lifetime,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        (self.lifetime, self.now) = (lifetime, now)
    }

    func visitor(_ token: Token) -> Visitor? {
        let now = now()
        return state.withLock { state in
            guard var session = state.sessions[token] else { return nil }
            guard session.end > now else {
                state.sessions[token] = nil
                return nil
            }
            (session.lastUse, session.end) = (state.tick(), now.advanced(by: lifetime))
            state.sessions[token] = session
            return session.visitor
        }
    }

    func begin(_ visitor: Visitor) -> Token {
        let token = Token()
        let end = now().advanced(by: lifetime)
        state.withLock { state in
            if state.sessions.count >= Self.mostVisitors {
                let oldest = state.sessions.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(
                    Self.mostVisitors / 10)
                for (token, _) in oldest { state.sessions[token] = nil }
            }
            state.sessions[token] = Session(visitor: visitor, lastUse: state.tick(), end: end)
        }
        return token
    }

    func end(_ token: Token) { state.withLock { $0.sessions[token] = nil } }

    func mark(_ film: String, _ isMine: Bool, for token: Token) {
        state.withLock { state in
            guard var visitor = state.sessions[token]?.visitor else { return }
            if !isMine {
                visitor.favorites.remove(film)
            } else if visitor.favorites.count < Self.mostFavorites {
                visitor.favorites.insert(film)
            }
            state.sessions[token]?.visitor = visitor
        }
    }
}
