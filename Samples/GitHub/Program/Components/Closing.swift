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
        guard let item = session.environment.read(target.reference)?.listed else { return }
        guard item.state != "merged" else { return session.show("\(item.name) is merged, and stays closed.") }
        let id = target.id
        func send(_ mutation: some GraphQLMutation, _ field: String, _ key: String) {
            let part: JSONValue = ["id": .string(id), "state": item.isOpen ? "CLOSED" : "OPEN"]
            let answer = JSONValue.object([.init(field, .object([.init(key, part)]))])
            let done = "\(item.name) is \(item.isOpen ? "closed, x opens it again" : "open again")."
            session.commit(
                mutation, expecting: answer, done: done, failed: item.isOpen ? "Not closed." : "Not opened.")
        }
        switch (!item.isPull, item.isOpen) {
        case (true, true): send(ClosingCloseIssueMutation(id: id), "closeIssue", "issue")
        case (true, false): send(ClosingReopenIssueMutation(id: id), "reopenIssue", "issue")
        case (false, true): send(ClosingClosePullMutation(id: id), "closePullRequest", "pullRequest")
        case (false, false): send(ClosingReopenPullMutation(id: id), "reopenPullRequest", "pullRequest")
        }
    }
}
