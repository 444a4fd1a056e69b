import Baton

/// What a search finds, issues and pull requests, page by page.
enum SearchList {
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
            edges {
              node {
                ... on Node {
                  id
                  ...ItemRow_node
                }
              }
            }
          }
        }
        """
    )
}
