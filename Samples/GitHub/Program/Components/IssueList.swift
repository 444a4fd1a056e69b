import Baton
import TerminalRenderer

/// The issues of a repository, page by page.
@MainActor
struct IssueList: ItemSource {
    private static let query = graphql(
        """
        query IssueListQuery($owner: String!, $name: String!, $filter: IssueFilters) {
          repository(owner: $owner, name: $name) { ...IssueList_repository }
          ...Status_query
        }

        fragment IssueList_repository on Repository
        @refetchable(queryName: "IssueListPageQuery")
        @argumentDefinitions(count: {type: "Int", defaultValue: 30}, cursor: {type: "String"}) {
          issues(first: $count, after: $cursor, filterBy: $filter, orderBy: {field: UPDATED_AT, direction: DESC})
          @connection(key: "IssueList_issues") {
            totalCount
            edges { node { id ...ItemRow_node } }
          }
        }
        """
    )

    let pages: Pages<IssueListQuery, IssueList_repository>

    func items(_ filter: Filter, in session: Session) -> Rows<Session.Target?>? {
        let states = filter.state.among(open: [IssueState.open], closed: [.closed])
        let (owner, name) = session.repository
        let filters = IssueFilters(
            createdBy: .init(filter.author), labels: .init(filter.label.map { [$0] }), states: .init(states))
        let data = pages.get(.init(owner: owner, name: name, filter: .value(filters))) {
            $0.repository?.fragments.issueList_repository
        }
        return data.map { data in
            pages.items(data, of: data.issues.totalCount, \.issues.nodes) {
                .init(id: $0.id, reference: $0.fragments.itemRow_node)
            }
        }
    }
}
