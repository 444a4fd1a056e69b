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
    let titles: FragmentComponent<ItemRow_node>
    let headers: FragmentComponent<ItemHeader_node>
    let facts: FragmentComponent<ItemHeader_node>
    let texts: FragmentComponent<CommentBlock_comment>
    private let id: Settled<String?>
    let state = ListState()
    private(set) var shown: String?

    init(in screen: Screen, _ session: Session) {
        self.session = session
        id = Settled(nil, in: screen)
        item = QueryHandle(
            in: session.environment, fetchPolicy: .storeOrNetwork, renderPolicy: .partial,
            freshness: Freshness(refetchOn: [.networkReturned]))
        comments = Comments(in: session)
        titles = FragmentComponent(in: screen) { data, _ in ItemHeader.title(data) }
        headers = FragmentComponent(in: screen) { data, _ in ItemHeader.draw(data) }
        facts = FragmentComponent(in: screen) { [now = session.now] data, _ in ItemHeader.facts(data, now()) }
        texts = FragmentComponent(in: screen) { [now = session.now] in CommentBlock.draw($0, $1, now()) }
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
        item.poll(every: (blocks?.count ?? 0) <= 21 ? session.refreshInterval : nil)
        if id.value == session.target?.id { tell(blocks) }
        return box(node, blocks)
    }
}
