import Baton

/// The issues of a repository, page by page.
enum IssueList {
    private static let query = graphql(
        """
        query IssueListQuery($owner: String!, $name: String!, $filter: IssueFilters) {
          repository(owner: $owner, name: $name) {
            ...IssueList_repository
          }
          ...Status_query
        }

        fragment IssueList_repository on Repository
        @refetchable(queryName: "IssueListPageQuery")
        @argumentDefinitions(count: {type: "Int", defaultValue: 30}, cursor: {type: "String"}) {
          issues(first: $count, after: $cursor, filterBy: $filter, orderBy: {field: UPDATED_AT, direction: DESC})
          @connection(key: "IssueList_issues") {
            totalCount
            edges {
              node {
                id
                ...ItemRow_node
              }
            }
          }
        }
        """
    )
}
