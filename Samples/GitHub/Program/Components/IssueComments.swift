import Baton

/// The comments of an issue, page by page.
enum IssueComments {
    private static let fragment = graphql(
        """
        fragment IssueComments_issue on Issue
        @refetchable(queryName: "IssueCommentsPageQuery")
        @argumentDefinitions(count: {type: "Int", defaultValue: 20}, cursor: {type: "String"}) {
          comments(first: $count, after: $cursor) @connection(key: "IssueComments_comments") {
            __id
            edges { node { id ...CommentBlock_comment } }
          }
        }
        """
    )
}
