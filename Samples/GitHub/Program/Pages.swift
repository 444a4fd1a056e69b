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
        query = session.query(.storeAndNetwork)
        list = FragmentHandle(nil, in: session.environment)
    }

    /// The list for these variables, as it was seen last until the new one is there; nil while it is loading first.
    func get(_ variables: Query.Variables, _ part: (Query.Data) -> FragmentReference<List>?) -> List.Data? {
        let data = query.get(variables).data
        if refreshes != session.refreshes {
            refreshes = session.refreshes
            // The frame is drawn with what is there.
            Task { [query] in query.refetch() }
        }
        let reference = data.flatMap(part)
        isMissing = data != nil && reference == nil
        return list.data(of: reference)
    }

    /// Notes whether the list is shown. One that is shown again is fetched again, unless somebody comes back to a place
    /// in a list that has grown.
    func show(_ isShown: Bool) {
        if self.isShown, !isShown, !hasGrown || !keepsPlace { query.skip() }
        self.isShown = isShown
        // The first page of a list that has grown would take the place of all of them, under the eyes of who reads.
        query.poll(every: isShown && !hasGrown ? session.pollInterval : nil)
    }

    /// What the list component shows of nodes of this list.
    func items<Nodes: RandomAccessCollection & Sendable>(
        _ data: List.Data, of total: Int, _ nodes: @escaping @MainActor @Sendable (List.Data) -> Nodes,
        item: @escaping @Sendable (Nodes.Element) -> Session.Target?
    ) -> Rows<Session.Target?> where Nodes.Index: Sendable {
        hasGrown = nodes(data).count > 30
        return session.rows(of: list, data, total: total, nodes: nodes, row: item)
    }

    var isLoading: Bool { query.result.isLoading || query.isFetching }
    var isLoadingNext: Bool { list.isLoadingNext }

    /// Why there is no list, or why it is not the newest one.
    var failure: String? {
        let missing = isMissing ? GraphQLError.noRepository : nil
        return query.failure ?? list.fetchError?.words ?? missing
    }
}

/// A list of issues or pull requests.
@MainActor
protocol ItemSource {
    associatedtype Query: GraphQLQuery
    associatedtype List: PaginationFragment
    var pages: Pages<Query, List> { get }
    func items(_ filter: Filter, in session: Session) -> Rows<Session.Target?>?
}

extension ItemSource {
    func show(_ isShown: Bool) { pages.show(isShown) }
}

extension FragmentHandle {
    /// The data of a reference, or of no reference any more; nil while it is loading.
    func data(of reference: FragmentReference<Fragment>?) -> Fragment.Data? {
        show(reference)
        return reference == nil ? nil : get().data
    }
}
