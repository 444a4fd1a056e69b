import Baton
import TerminalRenderer

/// What a search finds, page by page.
@MainActor
struct SearchList: ItemSource {
    private static let query = graphql(
        """
        query SearchListQuery($query: String!) {
          ...SearchList_query
          ...Status_query
        }

        fragment SearchList_query on Query
        @refetchable(queryName: "SearchListPageQuery")
        @argumentDefinitions(count: {type: "Int", defaultValue: 30}, cursor: {type: "String"}) {
          search(first: $count, after: $cursor, query: $query, type: ISSUE) @connection(key: "SearchList_search") {
            issueCount
            edges { node { ... on Node { id ...ItemRow_node } } }
          }
        }
        """
    )

    let pages: Pages<SearchListQuery, SearchList_query>

    func items(_ filter: Filter, in session: Session) -> Rows<Session.Target?>? {
        let (owner, name) = session.repository
        let data = pages.get(.init(query: filter.search(in: "\(owner)/\(name)"))) { $0.fragments.searchList_query }
        return data.map { data in
            pages.items(data, of: data.search.issueCount, \.search.nodes) { node in
                node.asNode.map { .init(id: $0.id, reference: $0.fragments.itemRow_node) }
            }
        }
    }
}
