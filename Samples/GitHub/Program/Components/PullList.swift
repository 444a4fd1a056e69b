import Baton
import TerminalRenderer

/// The pull requests of a repository, page by page.
@MainActor
struct PullList: ItemSource {
    private static let query = graphql(
        """
        query PullListQuery($owner: String!, $name: String!, $states: [PullRequestState!], $labels: [String!]) {
          repository(owner: $owner, name: $name) { ...PullList_repository }
          ...Status_query
        }

        fragment PullList_repository on Repository
        @refetchable(queryName: "PullListPageQuery")
        @argumentDefinitions(count: {type: "Int", defaultValue: 30}, cursor: {type: "String"}) {
          pullRequests(
            first: $count, after: $cursor, states: $states, labels: $labels
            orderBy: {field: UPDATED_AT, direction: DESC}
          ) @connection(key: "PullList_pullRequests") {
            totalCount
            edges { node { id ...ItemRow_node } }
          }
        }
        """
    )

    let pages: Pages<PullListQuery, PullList_repository>

    func items(_ filter: Filter, in session: Session) -> Rows<Session.Target?>? {
        let states = filter.state.among(open: [PullRequestState.open], closed: [.closed, .merged])
        let (owner, name) = session.repository
        let labels = filter.label.map { [$0] }
        let data = pages.get(.init(owner: owner, name: name, states: .init(states), labels: .init(labels))) {
            $0.repository?.fragments.pullList_repository
        }
        return data.map { data in
            pages.items(data, of: data.pullRequests.totalCount, \.pullRequests.nodes) {
                .init(id: $0.id, reference: $0.fragments.itemRow_node)
            }
        }
    }
}
