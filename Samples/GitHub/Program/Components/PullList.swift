import Baton

/// The pull requests of a repository, page by page.
enum PullList {
    private static let query = graphql(
        """
        query PullListQuery($owner: String!, $name: String!, $states: [PullRequestState!], $labels: [String!]) {
          repository(owner: $owner, name: $name) {
            ...PullList_repository
          }
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
