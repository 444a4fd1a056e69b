import Baton

/// The comments of a pull request, page by page.
enum PullComments {
    private static let fragment = graphql(
        """
        fragment PullComments_pull on PullRequest
        @refetchable(queryName: "PullCommentsPageQuery")
        @argumentDefinitions(count: {type: "Int", defaultValue: 20}, cursor: {type: "String"}) {
          comments(first: $count, after: $cursor) @connection(key: "PullComments_comments") {
            __id
            edges { node { id ...CommentBlock_comment } }
          }
        }
        """
    )
}
