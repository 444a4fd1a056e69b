import Baton

/// What stands above the text of an issue or pull request.
enum ItemHeader {
    private static let fragment = graphql(
        """
        fragment ItemHeader_node on Node {
          ... on Assignable {
            assignees(first: 10) {
              nodes {
                id
                login
              }
            }
          }
          ... on Issue {
            stateReason
          }
          ... on PullRequest {
            baseRefName
            headRefName
            additions
            deletions
            changedFiles
          }
        }
        """
    )
}
