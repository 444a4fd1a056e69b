import Baton

/// Adds a comment, which is shown before the server has answered.
enum Commenting {
    private static let mutation = graphql(
        """
        mutation CommentingMutation($input: AddCommentInput!, $connections: [ID!]!) {
          addComment(input: $input) {
            commentEdge @appendEdge(connections: $connections) {
              cursor
              node {
                id
                ...CommentBlock_comment
              }
            }
            subject {
              id
              ... on Issue {
                updatedAt
                commentCount: comments {
                  totalCount
                }
              }
              ... on PullRequest {
                updatedAt
                commentCount: comments {
                  totalCount
                }
              }
            }
          }
        }
        """
    )
}
