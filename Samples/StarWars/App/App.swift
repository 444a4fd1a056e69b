import Baton
import TerminalRenderer

/// The application: the stack of open screens, and the effects of keys on them.
///
/// This actor owns everything on the screen. Changes are delivered on it, so that changes and keys are in order.
actor App {
    nonisolated let environment: RelayEnvironment
    nonisolated let log: EventLog

    private let network: ConditionedNetwork
    private let time: @Sendable () -> Duration
    /// Called to request a frame.
    let needsDisplay: @Sendable () -> Void
    private var screens: [any Screen] = []
    /// A notification of the next change of the drawn page.
    private var changed: TrackedChange?
    private var lastRefetch = 0
    private(set) var isOver = false
    /// Whether the last drawn page is loading.
    private(set) var isBusy = false

    /// - Parameters:
    ///   - network: sends the requests, and fails while the user wants it to.
    ///   - clock: drives the spinner.
    ///   - needsDisplay: called on any thread when there may be something new to draw.
    init(
        network: ConditionedNetwork,
        clock: some Clock<Duration>,
        needsDisplay: @escaping @Sendable () -> Void = {}
    ) {
        let log = EventLog(changed: needsDisplay)
        let start = clock.now
        self.log = log
        self.network = network
        self.needsDisplay = needsDisplay
        time = { start.duration(to: clock.now) }
        environment = RelayEnvironment(network: network, clock: clock) { log.record($0) }
    }

    /// Draws the current state, and requests missing data.
    func canvas(size: Size) -> Canvas {
        if screens.isEmpty { screens = [FilmListScreen(in: self)] }
        let (drawn, changed) = environment.track { screens.last?.page(width: size.width, in: self) }
        self.changed = changed
        changed.deliver(on: self) { $0.needsDisplay() }
        var page = drawn ?? Page(title: "")
        if screens.count > 1 { page.title = "< " + page.title }
        isBusy = page.progress == .loading
        return page.canvas(
            size: size,
            surroundings: Surroundings(
                status: log.texts,
                help: screens.last?.help ?? [],
                isNetworkDown: network.failure != nil,
                time: time()
            )
        )
    }

    /// Performs the action of a key, and returns when the work of the action has begun.
    func press(_ key: Key) async {
        switch key {
        case .character("q"), .control("c"): isOver = true
        case .escape, .backspace, .left: if screens.count > 1 { screens.removeLast() }
        case .character("i"): environment.invalidate()
        case .character("e"):
            network.failure = network.failure == nil ? .transport(SampleNetwork.SwitchedOff()) : nil
        default:
            guard let screen = screens.last else { break }
            let mutations = log.mutationsStarted
            guard screen.press(key, in: self) == .mutation else { break }
            await log.waitForMutations(mutations + 1)
        }
        needsDisplay()
    }

    /// Opens a screen on top of the others.
    func open(_ screen: any Screen) {
        screens.append(screen)
    }

    /// Sends a mutation. Its changes arrive through the store, and a failure through the log.
    ///
    /// `optimistic` is the expected answer, which is shown until the real one arrives.
    func commit<Mutation: GraphQLMutation>(_ mutation: Mutation, optimistic: JSONValue? = nil) -> KeyEffect {
        let environment = environment
        Task { _ = try? await environment.commit(mutation, optimistic: optimistic.map { .response($0) }) }
        return .mutation
    }

    func nextFetchKey() -> Int {
        lastRefetch += 1
        return lastRefetch
    }
}

enum KeyEffect: Hashable, Sendable {
    case nothing
    case mutation
}
