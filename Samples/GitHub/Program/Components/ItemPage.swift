import Baton
import TerminalRenderer

/// One issue or pull request: its head, its text and its comments.
final class ItemPage: Component {
    private static let query = graphql(
        """
        query ItemPageQuery($id: ID!) {
          node(id: $id) {
            ...ItemRow_node
            ...ItemHeader_node
            ... on Comment { ...CommentBlock_comment }
            ... on Issue { ...IssueComments_issue }
            ... on PullRequest { ...PullComments_pull }
          }
          ...Status_query
        }
        """
    )

    private let session: Session
    private let item: QueryHandle<ItemPageQuery>
    private let issueComments: FragmentHandle<IssueComments_issue>
    private let pullComments: FragmentHandle<PullComments_pull>
    private let titles: FragmentComponent<ItemRow_node>
    private let headers: FragmentComponent<ItemHeader_node>
    private let texts: FragmentComponent<CommentBlock_comment>
    private let id = Settled<String?>(nil)
    private let state = ListState()
    private var shown: String?
    private var outages = 0

    init(in screen: Screen, _ session: Session) {
        self.session = session
        let environment = session.environment
        item = QueryHandle(
            in: environment, fetchPolicy: .storeOrNetwork, renderPolicy: .partial,
            freshness: Freshness(refetchOn: [.networkReturned]))
        issueComments = FragmentHandle(nil, in: environment)
        pullComments = FragmentHandle(nil, in: environment)
        titles = FragmentComponent(in: screen) { data, _ in ItemHeader.title(data) }
        headers = FragmentComponent(in: screen) { data, _ in ItemHeader.draw(data) }
        texts = FragmentComponent(in: screen) { [now = session.now] in CommentBlock.draw($0, $1, now()) }
    }

    var content: any Element {
        if let target = session.target {
            let pause = id.value == nil || session.focus == .item ? Duration.zero : .milliseconds(120)
            id.follow(target.id, after: pause, in: session)
        }
        guard let id = id.value else { return Box { Spacer.vertical } }
        if shown != id {
            shown = id
            state.reset()
        }
        let node = item.get(id: id, fetchKey: session.refreshes).data?.node
        let blocks = node.map { self.blocks(of: $0, id) }
        session.block = blocks.flatMap { $0.isEmpty ? nil : $0[min(state.selection, $0.count - 1)] }
        return box(id, node, blocks)
    }

    private func box(_ id: String, _ node: ItemPageQuery.Data.Node?, _ blocks: Blocks?) -> any Element {
        let isFocused = session.focus == .item
        let isLoading = item.result.isLoading || item.isFetching
        let isLoadingNext = issueComments.isLoadingNext || pullComments.isLoadingNext
        let total = blocks.map {
            $0.total == 0 ? "no comments" : "\(min(state.selection, $0.total)) of \($0.total) comments"
        }
        return Box(
            node?.asPullRequest == nil ? "Issue" : "Pull request", note: isLoading ? "loading\u{2026}" : "",
            footer: isLoadingNext ? "loading more\u{2026}" : total ?? "", isFocused: isFocused
        ) {
            if let node { titles(node.fragments.itemRow_node) }
            if let error = item.result.error ?? item.fetchError { Text(error.description, .color(.red)).wrapped }
            if let node, let blocks {
                List(blocks, state, isFocused: isFocused, focus: { [session] in session.focus = .item }) {
                    [headers, texts] block, row in
                    Row(gap: 1) {
                        Column {
                            if block.id == id { headers(node.fragments.itemHeader_node) }
                            texts(block.reference, row)
                        }
                        .filling(width: 1, height: 0)
                        // The scroll bar stands here.
                        Spacer.columns(0)
                    }
                }
            } else {
                Spacer.vertical
            }
        }
    }

    /// The item itself and its comments.
    private func blocks(of node: ItemPageQuery.Data.Node, _ id: String) -> Blocks {
        let first = node.asComment.map { Session.Block(id: id, reference: $0.fragments.commentBlock_comment) }
        if let issue = node.asIssue,
            let comments = data(of: issueComments, issue.fragments.issueComments_issue)?.comments
        {
            session.comments = comments.__id
            let nodes = issueComments.prefetch(comments.nodes, distance: 5, count: 30)
            return Blocks(first, nodes, comments.totalCount) {
                .init(id: $0.id, reference: $0.fragments.commentBlock_comment)
            }
        }
        if let pull = node.asPullRequest,
            let comments = data(of: pullComments, pull.fragments.pullComments_pull)?.comments
        {
            session.comments = comments.__id
            let nodes = pullComments.prefetch(comments.nodes, distance: 5, count: 30)
            return Blocks(first, nodes, comments.totalCount) {
                .init(id: $0.id, reference: $0.fragments.commentBlock_comment)
            }
        }
        return Blocks(first, [Session.Block](), 0) { $0 }
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

/// An item and its comments, which are made when they are seen.
private struct Blocks: RandomAccessCollection, Sendable {
    let total: Int
    let count: Int
    private let block: @Sendable (Int) -> Session.Block
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    init<Nodes: RandomAccessCollection & Sendable>(
        _ first: Session.Block?, _ nodes: Nodes, _ total: Int,
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
