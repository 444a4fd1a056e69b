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

    let session: Session
    let item: QueryHandle<ItemPageQuery>
    let comments: Comments
    let state = ListState()
    private unowned let screen: Screen
    private lazy var id = Settled<String?>(nil, in: screen)
    private(set) var shown: String?
    private(set) lazy var rows = FragmentComponent<ItemRow_node>(in: screen) { data, _ in ItemHeader.known(data) }
    private(set) lazy var titles = FragmentComponent<ItemRow_node>(in: screen) { data, _ in ItemHeader.title(data) }
    private(set) lazy var headers = FragmentComponent<ItemHeader_node>(in: screen) { data, _ in ItemHeader.draw(data) }
    private(set) lazy var facts = FragmentComponent<ItemHeader_node>(in: screen) { [now = session.now] data, _ in
        ItemHeader.facts(data, now())
    }
    private(set) lazy var texts = FragmentComponent<CommentBlock_comment>(in: screen) { [now = session.now] in
        CommentBlock.draw($0, $1, now())
    }

    init(in screen: Screen, _ session: Session) {
        (self.screen, self.session, comments) = (screen, session, Comments(in: session))
        item = session.query(.storeOrNetwork, .partial)
    }

    var content: any Element {
        let pause: Duration = id.value == nil || session.focus != .list ? .zero : .milliseconds(120)
        if let target = session.target { id.follow(target.id, after: pause) }
        let node = id.value.flatMap { item.get(id: $0, fetchKey: session.refreshes).data?.node }
        let blocks = node.flatMap { comments.blocks(of: $0, id.value ?? "") }
        if shown != id.value {
            (shown, _) = (id.value, state.reset())
        } else if let sent = session.sent, let blocks, blocks.last?.id == sent {
            // The comment that was just sent.
            (session.sent, state.selection) = (nil, blocks.count - 1)
        }
        item.poll(every: (blocks?.count ?? 0) <= 21 ? session.pollInterval : nil)
        if id.value == session.target?.id {
            session.isGone = isGone
            (session.block, session.comments) = (blocks.flatMap { state.selected(of: $0) }, comments.connection)
        }
        return box(node, blocks)
    }

    /// True if the service has answered, and knows of no such item: it was deleted, or moved.
    private var isGone: Bool {
        guard shown != nil, !item.result.isLoading, item.fetchError == nil else { return false }
        if let error = item.errors.first { return error.isOfMissingNode }
        return item.result.error?.graphQLErrors.first?.isOfMissingNode
            ?? (item.result.error == nil && item.result.data.map { $0.node == nil } ?? false)
    }

    /// Why the item cannot be shown as it is now.
    var failure: Text? {
        if session.isGone, shown == session.target?.id { return Text(GraphQLError.itemIsGone, .color(.red)) }
        return item.failure.map(Text.failure)
    }
}
