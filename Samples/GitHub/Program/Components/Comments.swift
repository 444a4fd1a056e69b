import Baton
import TerminalRenderer

/// The text of an issue or pull request and the comments on it, whose pages are loaded as one reads.
@MainActor
final class Comments {
    private let session: Session
    private let issues: FragmentHandle<IssueComments_issue>
    private let pulls: FragmentHandle<PullComments_pull>
    /// The connection to which a new comment is added; nil while it is loading.
    private(set) var connection: String?

    init(in session: Session) {
        self.session = session
        issues = FragmentHandle(nil, in: session.environment)
        pulls = FragmentHandle(nil, in: session.environment)
    }

    var isLoadingNext: Bool { issues.isLoadingNext || pulls.isLoadingNext }

    /// The item itself and its comments so far.
    func blocks(of node: ItemPageQuery.Data.Node, _ id: String) -> Rows<Session.Block>? {
        guard let comment = node.asComment else { return nil }
        let first = Session.Block(id: id, reference: comment.fragments.commentBlock_comment)
        let total = session.environment.read(node.fragments.itemRow_node)?.listed?.comments ?? 0
        var rest: Rows<Session.Block>?
        connection = nil
        if let issue = node.asIssue, let data = issues.data(of: issue.fragments.issueComments_issue) {
            connection = data.comments.__id
            rest = session.rows(of: issues, data, nodes: \.comments.nodes) {
                .init(id: $0.id, reference: $0.fragments.commentBlock_comment)
            }
        }
        if let pull = node.asPullRequest, let data = pulls.data(of: pull.fragments.pullComments_pull) {
            connection = data.comments.__id
            rest = session.rows(of: pulls, data, nodes: \.comments.nodes) {
                .init(id: $0.id, reference: $0.fragments.commentBlock_comment)
            }
        }
        return Rows(count: 1 + (rest?.count ?? 0), of: 1 + total, rest: rest?.loadRest) { [rest] index in
            index == 0 ? first : rest?[index - 1] ?? first
        }
    }
}
