import Baton
import TerminalRenderer

/// A list whose beginning is part of a query, and whose further pages are loaded as it is scrolled.
@MainActor
final class Pages<Query: GraphQLQuery, List: PaginationFragment> {
    private let query: QueryHandle<Query>
    private let list: FragmentHandle<List>
    private unowned let session: Session
    private let keepsPlace: Bool
    private var refreshes = 0
    private var hasGrown = false
    private var isShown = false
    /// True if the service has answered and knows of no list.
    private var isMissing = false

    /// - Parameter keepsPlace: Whether people come back to the list; false for one that is looked for anew each time.
    init(in session: Session, keepsPlace: Bool = true) {
        (self.session, self.keepsPlace) = (session, keepsPlace)
        query = QueryHandle(
            in: session.environment, fetchPolicy: .storeAndNetwork,
            freshness: Freshness(refetchOn: [.networkReturned]))
        list = FragmentHandle(nil, in: session.environment)
    }

    /// The list for these variables, as it was seen last until the new one is there; nil while it is loading first.
    func get(_ variables: Query.Variables, _ part: (Query.Data) -> FragmentReference<List>?) -> List.Data? {
        let data = query.get(variables).data
        if refreshes != session.refreshes {
            refreshes = session.refreshes
            Task { [query] in await query.refetch() }
        }
        let reference = data.flatMap(part)
        isMissing = data != nil && reference == nil
        list.update(reference)
        return list.reference == nil ? nil : list.get().data
    }

    /// Notes whether the list is shown. One that is shown again is fetched again, unless somebody comes back to a place
    /// in a list that has grown.
    func show(_ isShown: Bool) {
        if self.isShown, !isShown, !hasGrown || !keepsPlace { query.skip() }
        self.isShown = isShown
        // The first page of a list that has grown would take the place of all of them, under the eyes of who reads.
        query.poll(every: isShown && !hasGrown ? session.refreshInterval : nil)
    }

    /// What the list component shows of nodes of this list.
    func items<Nodes: RandomAccessCollection & Sendable>(
        _ nodes: Nodes, of total: Int, _ item: @escaping @Sendable (Nodes.Element) -> Session.Target?
    ) -> Rows<Session.Target?> where Nodes.Index: Sendable {
        hasGrown = nodes.count > 30
        return Rows(list.prefetch(nodes, distance: 10, count: 30), of: total, row: item)
    }

    var isLoading: Bool { query.result.isLoading || query.isFetching }
    var isLoadingNext: Bool { list.isLoadingNext }

    /// Why there is no list, or why it is not the newest one.
    var failure: String? {
        let error = query.result.error ?? query.fetchError ?? list.fetchError
        if isMissing, query.errors.isEmpty { return "There is no such repository, or it is not yours to see." }
        return query.errors.first?.message ?? error?.words
    }
}

/// A list of issues or pull requests.
@MainActor
protocol ItemSource {
    associatedtype Query: GraphQLQuery
    associatedtype List: PaginationFragment
    var pages: Pages<Query, List> { get }
    func items(_ filter: Filter) -> Rows<Session.Target?>?
}
