/// The fields with which a request was sent. A network notes them here, since the environment does not know what a
/// network adds: the log of the environment may repeat none of their values.
///
/// State: guarded by a lock of its own, a leaf.
package final class SentCredentials: Sendable {
    private struct State {
        /// The newest fields, and those before: a token may have been renewed while a request was under way.
        var fields: [[String: String]] = []
        /// Where the credentials of a connection are noted that carries the request together with others.
        var connection: SentCredentials?
    }

    private let state = Guarded(State())

    package init() {}

    /// Notes the fields of a message. Only the newest two of a request are kept.
    package func add(_ fields: [String: String]) {
        guard !fields.isEmpty else { return }
        state.withLock { state in
            guard state.fields.last != fields else { return }
            state.fields = state.fields.suffix(1) + [fields]
        }
    }

    /// Adds what is noted of a connection, now and later. A connection follows no other one.
    package func follow(_ connection: SentCredentials) { state.withLock { $0.connection = connection } }

    /// What was noted, as values that are struck out of texts. Takes time linear in the fields.
    package var credentials: Credentials {
        let fields = allFields
        return Credentials(of: fields.lazy.joined())
    }

    /// What was noted, and further fields.
    package func credentials(with fields: [String: String]) -> Credentials {
        Credentials(of: (allFields + [fields]).lazy.joined())
    }

    private var allFields: [[String: String]] {
        let (fields, connection) = state.withLock { ($0.fields, $0.connection) }
        return fields + (connection?.state.withLock(\.fields) ?? [])
    }
}
