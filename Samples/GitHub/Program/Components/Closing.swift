import Baton

/// Closes an issue or a pull request, or opens it again.
enum Closing {
    private static let mutations = graphql(
        """
        mutation ClosingCloseIssueMutation($id: ID!) {
          closeIssue(input: {issueId: $id}) { issue { id state stateReason updatedAt } }
        }

        mutation ClosingReopenIssueMutation($id: ID!) {
          reopenIssue(input: {issueId: $id}) { issue { id state stateReason updatedAt } }
        }

        mutation ClosingClosePullMutation($id: ID!) {
          closePullRequest(input: {pullRequestId: $id}) { pullRequest { id state updatedAt } }
        }

        mutation ClosingReopenPullMutation($id: ID!) {
          reopenPullRequest(input: {pullRequestId: $id}) { pullRequest { id state updatedAt } }
        }
        """
    )

    @MainActor
    static func toggle(_ target: Session.Target, in session: Session) {
        guard let item = session.environment.read(target.reference) else { return }
        let id = target.id
        func expected(_ field: String, _ key: String, _ state: String) -> JSONValue {
            .object([.init(field, .object([.init(key, ["id": .string(id), "state": .string(state)])]))])
        }
        switch (item.asPullRequest == nil, item.isOpen) {
        case (true, true):
            let answer = expected("closeIssue", "issue", "CLOSED")
            session.commit(ClosingCloseIssueMutation(id: id), expecting: answer, failed: "Not closed.")
        case (true, false):
            let answer = expected("reopenIssue", "issue", "OPEN")
            session.commit(ClosingReopenIssueMutation(id: id), expecting: answer, failed: "Not opened.")
        case (false, true):
            let answer = expected("closePullRequest", "pullRequest", "CLOSED")
            session.commit(ClosingClosePullMutation(id: id), expecting: answer, failed: "Not closed.")
        case (false, false):
            let answer = expected("reopenPullRequest", "pullRequest", "OPEN")
            session.commit(ClosingReopenPullMutation(id: id), expecting: answer, failed: "Not opened.")
        }
    }
}
