import Baton

/// The text of an issue, a pull request or a comment, with its author and the reactions to it.
enum CommentBlock {
    private static let fragment = graphql(
        """
        fragment CommentBlock_comment on Comment {
          id
          author {
            login
          }
          createdAt
          body
          viewerDidAuthor
          ... on Reactable {
            reactionGroups {
              content
              viewerHasReacted
              reactors {
                totalCount
              }
            }
          }
        }
        """
    )
}
