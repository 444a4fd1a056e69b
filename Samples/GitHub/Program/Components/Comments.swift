import Baton

/// The text of an issue or pull request and the comments on it, whose pages are loaded as one reads.
@MainActor
final class Comments {
    private let session: Session
    private let issue: FragmentHandle<IssueComments_issue>
    private let pull: FragmentHandle<PullComments_pull>
    private var outages = 0

    init(in session: Session) {
        self.session = session
        issue = FragmentHandle(nil, in: session.environment)
        pull = FragmentHandle(nil, in: session.environment)
    }

    var isLoadingNext: Bool { issue.isLoadingNext || pull.isLoadingNext }

    /// The item itself and its comments so far.
    func blocks(of node: ItemPageQuery.Data.Node, _ id: String) -> Blocks {
        let first = node.asComment.map { Session.Block(id: id, reference: $0.fragments.commentBlock_comment) }
        let total = session.environment.read(node.fragments.itemRow_node)?.comments ?? 0
        let issueData = node.asIssue.flatMap { data(of: issue, $0.fragments.issueComments_issue)?.comments }
        let pullData = node.asPullRequest.flatMap { data(of: pull, $0.fragments.pullComments_pull)?.comments }
        session.comments = issueData?.__id ?? pullData?.__id
        if let issueData {
            return Blocks(first, issue.prefetch(issueData.nodes, distance: 5, count: 30), of: total) {
                .init(id: $0.id, reference: $0.fragments.commentBlock_comment)
            }
        }
        if let pullData {
            return Blocks(first, pull.prefetch(pullData.nodes, distance: 5, count: 30), of: total) {
                .init(id: $0.id, reference: $0.fragments.commentBlock_comment)
            }
        }
        return Blocks(first, [Session.Block](), of: total) { $0 }
    }

    private func data<List: PaginationFragment>(
        of handle: FragmentHandle<List>, _ reference: FragmentReference<List>
    ) -> List.Data? {
        handle.update(reference)
        if outages != session.outages, handle.fetchError != nil { handle.retry() }
        outages = session.outages
        return handle.get().data
    }
}

extension Comments {
    /// An item and its comments, which are made when they are seen.
    struct Blocks: RandomAccessCollection, Sendable {
        static let none = Blocks(nil, [Session.Block](), of: 0) { $0 }

        /// The number of all comments.
        let total: Int
        let count: Int
        private let block: @Sendable (Int) -> Session.Block
        var startIndex: Int { 0 }
        var endIndex: Int { count }

        init<Nodes: RandomAccessCollection & Sendable>(
            _ first: Session.Block?, _ nodes: Nodes, of total: Int,
            _ make: @escaping @Sendable (Nodes.Element) -> Session.Block
        ) where Nodes.Index == Int {
            self.total = total
            count = nodes.count + (first == nil ? 0 : 1)
            block = { index in
                guard let first else { return make(nodes[index]) }
                return index == 0 ? first : make(nodes[index - 1])
            }
        }

        subscript(index: Int) -> Session.Block { block(index) }
    }
}
