import Baton

/// One issue or pull request: its head, its text and its comments.
enum ItemPage {
    private static let query = graphql(
        """
        query ItemPageQuery($id: ID!) {
          node(id: $id) {
            ...ItemRow_node
            ...ItemHeader_node
            ... on Comment {
              ...CommentBlock_comment
            }
            ... on Issue {
              ...IssueComments_issue
            }
            ... on PullRequest {
              ...PullComments_pull
            }
          }
          ...Status_query
        }
        """
    )
}
