import Synchronization

/// The visitors who are signed in, by the token in their cookie. They are forgotten when the process ends; a site with
/// several processes keeps them in a database.
final class Sessions: Sendable {
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
    private static let (mostFavorites, mostVisitors) = (500, 100_000)

    private let state = Mutex(State())
    private let lifetime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - lifetime: The time after which a session ends in which nothing was asked for.
    ///   - now: The clock.
    init(
        lifetime: Duration = .seconds(12 * 3_600),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        (self.lifetime, self.now) = (lifetime, now)
    }

    func visitor(_ token: Token?) -> Visitor? {
        guard let token else { return nil }
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

    /// Begins a session under a token that did not exist before.
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
