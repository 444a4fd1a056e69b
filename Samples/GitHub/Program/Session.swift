import Baton
import BatonHTTP
import Foundation
import TerminalRenderer

/// What the components share: the environment, the repository, the filter, and the way to the world outside.
@MainActor
final class Session {
    /// Where keys go.
    enum Focus: Hashable {
        case list, item, search, help, comment, label, author, reaction, quit

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
    let rate: RateLimit
    let repository: (owner: String, name: String)
    let now: @Sendable () -> Date
    private let refreshInterval: Duration?
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
    /// True if the service says that the selected item is not there any more.
    var isGone = false
    /// Who is signed in.
    var viewer: (id: String, login: String)?
    /// The comment that was just sent, under its id until the answer.
    var sent: String?
    /// The texts that the person is writing.
    let writing = Writing()
    /// The place in the menu that is open.
    let menu = ListState()

    /// Where what outlives the program is kept; nil for nowhere.
    let file: WorkFile?
    /// What was kept last, and why it was not.
    var (kept, keepFailure): (Work, String?) = (Work(), nil)
    /// Keeps the work after a while.
    var keeping: Task<Void, Never>?
    /// What is to be told of what was kept.
    private(set) var greeting: String?

    init(
        network: any NetworkLayer, repository: (owner: String, name: String), clock: some Clock<Duration>,
        refreshInterval: Duration? = nil, now: @escaping @Sendable () -> Date,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), file: WorkFile? = nil,
        persistence: (any RelayEnvironment.Persistence)? = nil,
        log: @escaping @Sendable (LogEvent) -> Void = MistakeOutput.write
    ) {
        rate = RateLimit(now: now)
        connectivity = ConnectivityInterceptor(
            ReconnectPolicy(maximumDelay: .seconds(5)), clock: clock, random: random,
            isOutage: { !($0.underlying is RateLimit.UsedUp) && ConnectivityInterceptor.isOutage($0) })
        // Failures are on the screen.
        environment = RelayEnvironment(
            network: network.intercepted(by: connectivity, rate), persistence: persistence, clock: clock, log: log)
        (self.repository, self.now, self.refreshInterval, self.file) = (repository, now, refreshInterval, file)
        // Only what has failed: a list that is fetched again is cut back to its first page.
        connectivity.attach(to: environment, ifOlderThan: .seconds(86_400))
        greeting = takeKeptWork()
        kept = work
    }

    /// The time after which what is shown is fetched again; nil for never. The schema has no subscriptions. The last
    /// points of the rate limit are left for what the person does.
    var pollInterval: Duration? { rate.state.isLow ? nil : refreshInterval }

    /// Waits for the reset of a rate limit of which little is left. Then everything goes on that had to wait for it.
    func waitForReset() async {
        guard let end = rate.state.resetAt else { return }
        // The service's clock and this one may differ by a second.
        try? await screen?.pause(for: .seconds(end.timeIntervalSince(now()) + 1))
        environment.note(.networkReturned, ifOlderThan: .seconds(86_400))
        screen?.changed()
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
        (self.target, block, comments, isGone) = (target, nil, nil, false)
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
    func rows<List: PaginationFragment, Nodes: RandomAccessCollection & Sendable, Row: Sendable>(
        of list: FragmentHandle<List>, _ data: List.Data, total: Int? = nil,
        nodes: @escaping @MainActor @Sendable (List.Data) -> Nodes, row: @escaping @Sendable (Nodes.Element) -> Row
    ) -> Rows<Row> where Nodes.Index: Sendable {
        let (before, most) = (nodes(data), 100 * min(10, (rate.state.remaining ?? 100) / 10))
        let stopped: @MainActor @Sendable () -> Void = { [self] in
            let count = (list.get().data.map { nodes($0).count } ?? 0) - before.count
            if most == 0 {
                show("Too little is left of the rate limit.")
            } else if count >= most {
                show("\(count) more are loaded, G goes on.")
            } else {
                // It promises a next page, and sends an empty one or the same one again.
                show((count > 0 ? "\(count) more are loaded. " : "") + "The service sends no more.", isError: true)
            }
        }
        return Rows(before, in: list, of: total, most: most, stopped: stopped, row: row)
    }

    /// Shows a line for some seconds.
    func show(_ text: String, isError: Bool = false, for time: Duration? = nil) {
        notice?.show(Text(text, .color(isError ? .red : .green)), for: time ?? .seconds(isError ? 12 : 4))
    }

    /// Says why nothing can be done with the selected item.
    func showGone() { show(GraphQLError.itemIsGone, isError: true) }

    /// Sends a mutation whose expected answer is shown meanwhile. If it fails, the change is taken back and said.
    func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, expecting answer: JSONValue, done: String = "", failed: String,
        ended: @escaping @MainActor (_ isDone: Bool) -> Void = { _ in }
    ) {
        notice?.hide()
        Task {
            do throws(RelayError) {
                let configuration = RequestConfiguration(errorPolicy: .failure)
                try await environment.commit(mutation, optimistic: .response(answer), configuration: configuration)
                ended(true)
                if !done.isEmpty { show(done) }
            } catch {
                ended(false)
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
