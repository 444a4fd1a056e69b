import Baton

/// Closes an issue or a pull request, or opens it again.
enum Closing {
    private static let mutations = graphql(
        """
        mutation ClosingCloseIssueMutation($id: ID!) {
          closeIssue(input: {issueId: $id}) {
            issue {
              ...Closing_issue
            }
          }
        }

        mutation ClosingReopenIssueMutation($id: ID!) {
          reopenIssue(input: {issueId: $id}) {
            issue {
              ...Closing_issue
            }
          }
        }

        mutation ClosingClosePullMutation($id: ID!) {
          closePullRequest(input: {pullRequestId: $id}) {
            pullRequest {
              ...Closing_pull
            }
          }
        }

        mutation ClosingReopenPullMutation($id: ID!) {
          reopenPullRequest(input: {pullRequestId: $id}) {
            pullRequest {
              ...Closing_pull
            }
          }
        }

        fragment Closing_issue on Issue {
          id
          state
          stateReason
          updatedAt
        }

        fragment Closing_pull on PullRequest {
          id
          state
          updatedAt
        }
        """
    )
}
