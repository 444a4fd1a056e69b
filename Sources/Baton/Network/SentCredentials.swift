/// The fields with which a request was sent, as noted by the network. The environment does not know the fields that a
/// network adds, but its log must not repeat their values.
///
/// State: guarded by a lock of its own, a leaf.
package final class SentCredentials: Sendable {
    private struct State {
        /// The newest fields and the fields before them, because a token may have been renewed while the request was
        /// under way.
        var fields: [[String: String]] = []
        /// The credentials of the connection that carries the request together with others; nil without such a
        /// connection.
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

    /// Adds the credentials of a connection, including later ones. A connection itself follows no other connection.
    package func follow(_ connection: SentCredentials) { state.withLock { $0.connection = connection } }

    /// The noted values, in the form that strikes them out of texts. Takes time linear in the fields.
    package var credentials: Credentials {
        let fields = allFields
        return Credentials(of: fields.lazy.joined())
    }

    /// Returns the noted values together with those of further fields.
    package func credentials(with fields: [String: String]) -> Credentials {
        Credentials(of: (allFields + [fields]).lazy.joined())
    }

    private var allFields: [[String: String]] {
        let (fields, connection) = state.withLock { ($0.fields, $0.connection) }
        return fields + (connection?.state.withLock(\.fields) ?? [])
    }
}
