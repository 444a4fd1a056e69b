import Baton

/// One issue or pull request in a list.
enum ItemRow {
    private static let fragment = graphql(
        """
        fragment ItemRow_node on Node {
          id
          ... on Comment {
            author {
              login
            }
            updatedAt
          }
          ... on Labelable {
            labels(first: 6) {
              nodes {
                id
                name
                color
              }
            }
          }
          ... on Issue {
            number
            title
            url
            issueState: state
            commentCount: comments {
              totalCount
            }
          }
          ... on PullRequest {
            number
            title
            url
            pullState: state
            isDraft
            commentCount: comments {
              totalCount
            }
          }
        }
        """
    )
}
