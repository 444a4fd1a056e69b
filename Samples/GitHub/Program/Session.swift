import Baton
import BatonHTTP
import Foundation
import TerminalRenderer

/// What the components share: the environment, the repository, the filter, and the way to the world outside.
@MainActor
final class Session {
    /// Where keys go.
    enum Focus: Hashable {
        case list, item, search, help, comment, label, author, reaction

        /// True for what is shown above the list and the item.
        var isWindow: Bool { ![.list, .item, .search].contains(self) }
    }

    /// What a person has selected, with the id for mutations.
    struct Selected<Fragment: GraphQLFragment>: Hashable {
        let id: String
        let reference: FragmentReference<Fragment>
    }

    /// An issue or pull request.
    typealias Target = Selected<ItemRow_node>
    /// An item or a comment, as something to read and to react to.
    typealias Block = Selected<CommentBlock_comment>

    let environment: RelayEnvironment
    let connectivity: ConnectivityInterceptor
    let rate = RateLimit()
    let repository: (owner: String, name: String)
    let now: @Sendable () -> Date
    /// The time after which what is shown is fetched again; nil for never. The schema has no subscriptions.
    let refreshInterval: Duration?
    weak var screen: Screen? { didSet { notice = screen.map { Notice(in: $0) } } }
    private(set) var notice: Notice?

    var filter = Filter()
    var focus = Focus.list
    /// Where keys go when the window is closed.
    private var origin = Focus.list
    /// Grows when the person wants everything anew.
    var refreshes = 0
    /// The selected item of the list.
    private(set) var target: Target?
    /// The selected block of the item: the item itself or one of its comments.
    var block: Block?
    /// The connection of the item to which a new comment is added.
    var comments: String?
    /// Who is signed in.
    var viewer: (id: String, login: String)?
    /// The comment that was just sent, under its id until the answer.
    var sent: String?
    /// The texts that the person is writing, by the item. They outlive the window in which they are written.
    let drafts = Drafts<String>(hasLines: true)
    /// The place in the menu that is open.
    let menu = ListState()

    init(
        network: any NetworkLayer, repository: (owner: String, name: String), clock: some Clock<Duration>,
        refreshInterval: Duration? = nil, now: @escaping @Sendable () -> Date,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        connectivity = ConnectivityInterceptor(ReconnectPolicy(maximumDelay: .seconds(5)), clock: clock, random: random)
        // Failures are on the screen.
        environment = RelayEnvironment(
            network: network.intercepted(by: connectivity, rate), clock: clock, log: { _ in })
        (self.repository, self.now, self.refreshInterval) = (repository, now, refreshInterval)
        // Only what has failed: a list that is fetched again is cut back to its first page.
        connectivity.attach(to: environment, refetchingIfOlderThan: .seconds(86_400))
    }

    /// Makes a handle that fetches again after the network has returned.
    func query<Query: GraphQLQuery>(
        _ fetchPolicy: FetchPolicy, _ renderPolicy: RenderPolicy = .full
    ) -> QueryHandle<Query> {
        QueryHandle(
            in: environment, fetchPolicy: fetchPolicy, renderPolicy: renderPolicy,
            freshness: Freshness(refetchOn: .networkReturned))
    }

    /// Selects an item. The one that a person reads, or writes about, stays selected, whatever becomes of the list.
    func select(_ target: Target?) {
        guard target != self.target, self.target == nil || !isReading else { return }
        // The block and the connection belong to the item that was selected before.
        (self.target, block, comments) = (target, nil, nil)
        screen?.changed()
    }

    /// True if the person is in the item, in a window that was opened there, or in one that is about the item.
    var isReading: Bool { [.item, .comment, .reaction].contains(focus) || focus.isWindow && origin == .item }

    /// Opens a window. The keys go back to where they went when it is closed.
    func open(_ window: Focus) {
        if !focus.isWindow { origin = focus == .item ? .item : .list }
        (focus, _) = (window, menu.reset())
    }

    func closeWindow() { focus = origin }

    /// Changes the filter, and shows the list.
    func list(_ change: (inout Filter) -> Void) {
        change(&filter)
        focus = .list
    }

    /// The rows of a list. Each key to its end costs at most ten requests, and a tenth of what is left of the limit.
    func rows<Nodes: RandomAccessCollection & Sendable, Row: Sendable>(
        of list: FragmentHandle<some PaginationFragment>, _ nodes: Nodes, total: Int? = nil,
        row: @escaping @Sendable (Nodes.Element) -> Row
    ) -> Rows<Row> where Nodes.Index: Sendable {
        let most = 100 * min(10, (rate.state.remaining ?? 100) / 10)
        let more = most > 0 ? "\(most) more are loaded, G goes on." : "Too little is left of the rate limit."
        return Rows(nodes, in: list, of: total, most: most, stopped: { self.show(more) }, row: row)
    }

    /// Shows a line for some seconds.
    func show(_ text: String, isError: Bool = false) {
        notice?.show(Text(text, .color(isError ? .red : .green)), for: .seconds(isError ? 12 : 4))
    }

    /// Sends a mutation whose expected answer is shown meanwhile. If it fails, the change is taken back and said.
    func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, expecting answer: JSONValue, done: String = "", failed: String,
        undo: @escaping @MainActor () -> Void = {}
    ) {
        notice?.hide()
        Task {
            do throws(RelayError) {
                let configuration = RequestConfiguration(errorPolicy: .failure)
                try await environment.commit(mutation, optimistic: .response(answer), configuration: configuration)
                if !done.isEmpty { show(done) }
            } catch {
                undo()
                show("\(failed) \(error.words)", isError: true)
            }
        }
    }

    /// Puts a text on the clipboard of the person's terminal.
    func copy(_ text: String) {
        screen?.copy(text)
        show("Copied \(text)")
    }

    /// Opens a page in the person's browser.
    func browse(_ url: String) {
        show("Opened \(url)")
        screen?.browse(url) { [self] in show("Not opened: \($0)", isError: true) }
    }
}
