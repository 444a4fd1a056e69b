import Baton
import TerminalRenderer

/// One issue or pull request: its title, its text and its comments.
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
    private let comments: Comments
    private let titles: FragmentComponent<ItemRow_node>
    private let headers: FragmentComponent<ItemHeader_node>
    private let texts: FragmentComponent<CommentBlock_comment>
    private let id = Settled<String?>(nil)
    private let state = ListState()
    private var shown: String?

    init(in screen: Screen, _ session: Session) {
        self.session = session
        item = QueryHandle(
            in: session.environment, fetchPolicy: .storeOrNetwork, renderPolicy: .partial,
            freshness: Freshness(refetchOn: [.networkReturned]))
        comments = Comments(in: session)
        titles = FragmentComponent(in: screen) { data, _ in ItemHeader.title(data) }
        headers = FragmentComponent(in: screen) { data, _ in ItemHeader.draw(data) }
        texts = FragmentComponent(in: screen) { [now = session.now] in CommentBlock.draw($0, $1, now()) }
    }

    var content: any Element {
        if let target = session.target {
            let pause = id.value == nil || session.focus != .list ? Duration.zero : .milliseconds(120)
            id.follow(target.id, after: pause, in: session)
        }
        let node = id.value.flatMap { item.get(id: $0, fetchKey: session.refreshes).data?.node }
        let blocks = node.map { comments.blocks(of: $0, id.value ?? "") }
        if shown != id.value {
            shown = id.value
            state.reset()
        } else if let sent = session.sent, let blocks, blocks.last?.id == sent {
            // The comment that was just sent.
            session.sent = nil
            state.selection = blocks.count - 1
        }
        session.block = blocks.flatMap { $0.isEmpty ? nil : $0[min(state.selection, $0.count - 1)] }
        return box(node, blocks)
    }

    private func box(_ node: ItemPageQuery.Data.Node?, _ blocks: Comments.Blocks?) -> any Element {
        let isFocused = session.focus != .list && session.focus != .search
        let isLoading = shown != nil && item.result.isLoading || item.isFetching || comments.isLoadingNext
        let place = blocks.map { "\(min(state.selection, $0.total)) of \($0.total) comments" } ?? ""
        let title = node?.asPullRequest == nil ? "Issue" : "Pull request"
        return Box(title, note: isLoading ? "loading\u{2026}" : "", footer: place, isFocused: isFocused) {
            if let error = item.result.error ?? item.fetchError { Text(error.words, .color(.red)).wrapped }
            Sizing { [self] size in
                // On a low screen the title is scrolled with the text.
                if size.height >= 12, let node { titles(node.fragments.itemRow_node) }
                list(node, blocks ?? .none, hasTitle: size.height < 12, isFocused: isFocused)
            }
        }
    }

    private func list(
        _ node: ItemPageQuery.Data.Node?, _ blocks: Comments.Blocks, hasTitle: Bool, isFocused: Bool
    ) -> any Element {
        let row: @MainActor (Session.Block, RowState) -> any Element = { [titles, headers, texts, shown] block, row in
            Row {
                Column {
                    if block.id == shown, let node {
                        if hasTitle { titles(node.fragments.itemRow_node) }
                        headers(node.fragments.itemHeader_node)
                    }
                    texts(block.reference, row)
                }
                .filling(width: 1, height: 0)
                // This column is that of the scroll bar.
                Spacer.columns(1)
            }
        }
        return List(blocks, state, isFocused: isFocused, focus: { [session] in session.focus = .item }, row: row)
    }
}
