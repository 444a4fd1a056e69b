import Baton

/// Keeps what a query shows fresh by fetching it again now and then, since the schema has no subscriptions.
@MainActor
final class Polling<Query: GraphQLQuery> {
    private let query: QueryHandle<Query>
    private let interval: Duration?
    /// Off for what is not shown, and for a list that has grown: its first page would take the place of all of them
    /// under the eyes of who reads them.
    var isOn = false {
        didSet { if isOn != oldValue { query.poll(every: isOn ? interval : nil) } }
    }

    init(_ query: QueryHandle<Query>, in session: Session) { (self.query, interval) = (query, session.refreshInterval) }
}
