/// The decisions of a fragment handle about its refetches and pages: what is shown of them, what is loaded again, and
/// what is kept. A `LoadMachine` decides what is under way.
struct FragmentLoadMachine: Machine {
    /// A page that is asked for.
    struct PageAsk: Sendable {
        enum Cause: Sendable {
            case caller
            /// An element near the end was looked at. The page is not loaded again from the same place.
            case ahead
        }

        let kind: LoadMachine.Kind
        let count: Int
        let cause: Cause
    }

    /// Where a page can be loaded.
    struct Place: Sendable {
        /// Its operation is retained for the machine.
        let load: Load
        let ahead: Ahead
        /// True if the list itself is being fetched, and may be another one in a moment.
        let isBusy: Bool
    }

    /// A place from which a page is loaded ahead once.
    struct Ahead: Equatable, Sendable {
        let cursor: JSONValue
        /// When the list itself was fetched last. If it is fetched again, it begins anew, maybe with the same cursor.
        let fetched: Epoch?
    }

    /// What the caller of a page is told.
    enum Notice: Sendable {
        case load(Load)
        case refused
    }

    /// What must be known about a payload or a failure that concerns a load.
    struct News: Sendable {
        enum Cause: Sendable {
            case landed(StoredPayload)
            case failed(RelayError)
        }

        let number: Int
        let load: Load
        let cause: Cause
    }

    /// What is known about a payload or a failure.
    struct Facts: Sendable {
        var availability = Coverage.available(fetchedAt: nil)
        /// True if the fragment can be shown as a whole.
        var isWhole = true
        /// The end of the list; nil if there is none.
        var end: JSONValue?
    }

    enum Event: Sendable {
        // Calls of the handle.
        /// The reference that the handle had before its first load.
        case began(GeneratedCode.FragmentTarget?)
        /// The handle is given a reference.
        case updated(GeneratedCode.FragmentTarget?)
        /// The fragment is to be fetched again. The operation is retained for the machine.
        case refetched(Load)
        case paged(PageAsk)
        case cancelled(Load)
        case givenUp
        /// A load could not begin.
        case refused(LoadMachine.Kind, RelayError)
        /// The store was emptied. With `asksAgain` the data of the last refetch is asked for again.
        case emptied(asksAgain: Bool)
        case closed

        // News of requests, by number.
        case landed(Int, StoredPayload)
        case failed(Int, RelayError)

        // Answers to questions.
        case checked(Load, Coverage, resets: Int)
        /// Where the page is; nil if there is none.
        case placed(Place?, PageAsk, moves: Int)
        case known(Facts, News)
    }

    typealias InLock = Never

    /// For the thread that has sent the event.
    enum Caller: Sendable {
        /// Find out how much of the operation's data is there; `checked` follows.
        case check(Load, resets: Int)
        /// Find out where the page is; `placed` follows.
        case place(PageAsk, adopted: BoundOperation?, moves: Int)
        /// Find out what the news has changed; `known` follows.
        case inspect(News)
        case tell(Notice)
    }

    /// In the queue.
    enum Queued: Sendable {
        case start(Int, Load)
        case abandon(Int)
        /// Forget a request, and let those go on who have waited for the load.
        case finish(Int, Load, RelayError?)
        /// Show the data of the query.
        case adopt(BoundOperation, StatusChange)
        /// Show a reference that the handle was given.
        case restore(GeneratedCode.FragmentTarget?, StatusChange)
        case showStatus
        case release(BoundOperation)
        /// Ask for the data of the last refetch again.
        case refetch(BoundOperation)
    }

    /// Whether the status of the handle changes in the same step as what it shows.
    enum StatusChange: Sendable {
        case none
        case shown
    }

    private(set) var loads = LoadMachine()
    private var underWay: [Int: Load] = [:]
    /// The query of the last refetch whose data is shown, retained.
    private(set) var adopted: BoundOperation?
    /// The reference that the handle was given, also while the data of a refetch is shown.
    private var given: GeneratedCode.FragmentTarget?
    /// The load that failed last; nil if another one has ended well or was cancelled since.
    private var lastFailed: Load?
    private(set) var pageErrors: [GraphQLError] = []
    /// The place from which a page was loaded ahead, while the end of the list has not moved since.
    private(set) var ahead: Ahead?
    /// How often the store was emptied.
    private var resets = 0

    /// Makes a machine for a handle that was given a reference.
    init(_ given: GeneratedCode.FragmentTarget?) {
        self.given = given
    }

    /// The operation of the reference that the handle was given.
    var owner: BoundOperation? { given?.owner }
    /// What is to be done again after a failure; nil if nothing has failed.
    var failedLoad: Load? { loads.fetchError == nil ? nil : lastFailed }

    // MARK: - Events

    mutating func handle(_ event: consuming Event) -> Effects {
        var effects = Effects()
        switch event {
        case .began(let target): if adopted == nil { given = target }
        case .updated(let target): update(target, &effects)
        case .refetched(let load): check(load, &effects)
        case .checked(let load, let availability, let resets):
            // What was checked may be gone.
            if resets == self.resets { refetch(load, availability, &effects) } else { check(load, &effects) }
        case .paged(let ask): place(ask, &effects)
        case .placed(let place, let ask, let moves): page(place, ask, moves, &effects)
        case .cancelled(let load):
            if let number = underWay.first(where: { $0.value === load })?.key { move(.cancelled(number), &effects) }
        case .givenUp: move(.givenUp, &effects)
        case .refused(let kind, let error):
            lastFailed = nil
            move(.refused(kind, error), &effects)
        case .emptied(let asksAgain): empty(asksAgain: asksAgain, &effects)
        case .closed:
            move(.closed, &effects)
            leave(&effects)
        case .landed(let number, let payload):
            if let load = underWay[number] {
                effects.append(.caller(.inspect(News(number: number, load: load, cause: .landed(payload)))))
            }
        case .failed(let number, let error):
            guard let load = underWay[number] else { break }
            let news = News(number: number, load: load, cause: .failed(error))
            if load.policy == .networkOrStore {
                effects.append(.caller(.inspect(news)))
            } else {
                know(Facts(availability: .unknown), news, &effects)
            }
        case .known(let facts, let news): know(facts, news, &effects)
        }
        return Self.arranged(effects)
    }

    /// Shows a status once, in the step that changes what is shown or after all others, and lets those go on who wait
    /// after everything else.
    private static func arranged(_ effects: Effects) -> Effects {
        let all = effects.all
        guard all.count > 1 else { return effects }
        var showsStatus = all.contains { if case .queue(.showStatus) = $0 { true } else { false } }
        var (first, last) = (Effects(), Effects())
        for effect in all {
            switch effect {
            case .queue(.showStatus): break
            case .queue(.finish): last.append(effect)
            case .queue(.adopt(let operation, _)):
                first.append(.queue(.adopt(operation, showsStatus ? .shown : .none)))
                showsStatus = false
            case .queue(.restore(let target, _)):
                first.append(.queue(.restore(target, showsStatus ? .shown : .none)))
                showsStatus = false
            default: first.append(effect)
            }
        }
        if showsStatus { first.append(.queue(.showStatus)) }
        first += last
        return first
    }

    // MARK: - Calls of the handle

    private mutating func update(_ target: GeneratedCode.FragmentTarget?, _ effects: inout Effects) {
        guard given != target else { return }
        leave(&effects)
        given = target
        ahead = nil
        effects.append(.queue(.restore(target, .none)))
        move(.left, &effects)
    }

    /// Begins a refetch once it is known what is there, if the policy wants to know.
    private mutating func check(_ load: Load, _ effects: inout Effects) {
        switch load.policy {
        case .storeOnly, .networkOnly: refetch(load, .unknown, &effects)
        case .storeOrNetwork, .storeAndNetwork, .networkOrStore: effects.append(.caller(.check(load, resets: resets)))
        }
    }

    private mutating func refetch(_ load: Load, _ availability: Coverage, _ effects: inout Effects) {
        guard !loads.isClosed else {
            effects += [.queue(.release(load.operation)), .queue(.finish(0, load, .cancelled))]
            return
        }
        pageErrors = []
        ahead = nil
        underWay[loads.last + 1] = load
        move(.refetched(load.policy, availability), &effects)
    }

    private func place(_ ask: PageAsk, _ effects: inout Effects) {
        effects.append(.caller(.place(ask, adopted: adopted, moves: loads.moves)))
    }

    private mutating func page(_ place: Place?, _ ask: PageAsk, _ moves: Int, _ effects: inout Effects) {
        guard let place else { return }
        if let known = loads.number(of: ask.kind).flatMap({ underWay[$0] }) {
            effects += [.queue(.release(place.load.operation)), .caller(.tell(.load(known)))]
            return
        }
        let isKnown = ask.cause == .ahead && ahead == place.ahead
        guard !place.isBusy, !isKnown, loads.moves == moves, loads.mayLoad(ask.kind) else {
            effects.append(.queue(.release(place.load.operation)))
            // What has moved may have made the page another one.
            if !place.isBusy, loads.moves != moves {
                self.place(ask, &effects)
            } else {
                effects.append(.caller(.tell(.refused)))
            }
            return
        }
        if ask.cause == .ahead { ahead = place.ahead }
        underWay[loads.last + 1] = place.load
        move(.paged(ask.kind), &effects)
        effects.append(.caller(.tell(.load(place.load))))
    }

    private mutating func empty(asksAgain: Bool, _ effects: inout Effects) {
        resets += 1
        let isGivenUp = loads.isGivenUp
        move(.left, &effects)
        pageErrors = []
        lastFailed = nil
        ahead = nil
        guard let adopted else { return }
        if asksAgain, !isGivenUp {
            effects.append(.queue(.refetch(adopted)))
        } else {
            leave(&effects)
            effects.append(.queue(.restore(given, .none)))
        }
    }

    private mutating func leave(_ effects: inout Effects) {
        if let adopted { effects.append(.queue(.release(adopted))) }
        adopted = nil
    }

    // MARK: - News of requests

    private mutating func know(_ facts: Facts, _ news: News, _ effects: inout Effects) {
        switch news.cause {
        case .landed(let payload):
            let isPage = news.load.kind != .refetch
            if news.load.kind == .next, ahead?.cursor != facts.end { ahead = nil }
            if isPage, loads.kind(of: news.number) != nil { pageErrors = payload.errors }
            let content: PolicyMachine.Content = payload.presence == .object ? .object : .null
            move(
                .landed(
                    news.number, content, errors: payload.errors, facts.availability, hasNext: payload.hasNext,
                    isWhole: facts.isWhole), &effects)
        case .failed(let error): move(.failed(news.number, error, facts.availability), &effects)
        }
    }

    private mutating func move(_ event: LoadMachine.Event, _ effects: inout Effects) {
        for effect in loads.handle(event) {
            switch effect {
            case .start(let number):
                if let load = underWay[number] { effects.append(.queue(.start(number, load))) }
            case .abandon(let number): effects.append(.queue(.abandon(number)))
            case .adopt(let number):
                guard let load = underWay[number] else { continue }
                effects.append(.queue(.adopt(load.operation, .none)))
                if let adopted { effects.append(.queue(.release(adopted))) }
                adopted = load.operation
            case .finish(let number, let error):
                guard let load = underWay.removeValue(forKey: number) else { continue }
                lastFailed = error == nil || error == .cancelled ? nil : load
                // What did not come may be loaded ahead again.
                if error != nil, load.kind == .next { ahead = nil }
                effects += [.queue(.release(load.operation)), .queue(.finish(number, load, error))]
            case .showStatus: effects.append(.queue(.showStatus))
            }
        }
    }
}
