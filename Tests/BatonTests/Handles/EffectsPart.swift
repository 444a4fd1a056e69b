import RandomCases
import Synchronization

@testable import Baton

/// The actor that observes all handles of a script.
actor Watcher {
    private(set) var last: [Int: String] = [:]
    private(set) var deliveries: [Int: Int] = [:]
    private var ended: Set<Int> = []
    private(set) var complaints: [String] = []

    func note(_ number: Int, _ shown: String) {
        if ended.contains(number) { complaints.append("observer \(number) was told something after its end") }
        last[number] = shown
        deliveries[number, default: 0] += 1
    }

    func end(_ number: Int, _ token: ObservationToken) {
        token.cancel()
        ended.insert(number)
        last[number] = nil
    }
}

/// A handle of any kind in the script of an `EffectsModel`, and what must be so while it lives.
class EffectsPart {
    private static let lastObserver = Atomic(0)
    let name: String
    /// The number in the script.
    var number = 0
    private var observer = 0
    private var token: ObservationToken?

    init(_ name: String) { self.name = name }

    /// What the handle shows, in words.
    var shown: String { "" }
    /// The requests that the handle says it waits for, by `NetworkRequest.title`.
    var awaited: [String] { [] }
    /// True if a waiting request may be this handle's.
    func mayAwait(_ request: NetworkRequest) -> Bool { awaited.contains(request.title) }

    /// Calls the handle as a component does that draws.
    func draw() {}
    /// Does something with the handle, and says what.
    func act(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String { "" }
    /// What is wrong with the state of the handle while nothing is under way.
    func violations(_ model: EffectsModel) -> [String] { [] }

    func observe(_ number: Int, on watcher: Watcher) -> ObservationToken? { nil }

    /// Begins to observe, or ends it.
    final func switchObserver(_ watcher: Watcher) async {
        if let token {
            await watcher.end(observer, token)
            self.token = nil
        } else {
            observer = Self.lastObserver.add(1, ordering: .relaxed).newValue
            token = observe(observer, on: watcher)
        }
    }

    /// What is wrong with what the observer was told last.
    final func violation(of watcher: Watcher) async -> String? {
        guard token != nil else { return nil }
        let last = await watcher.last[observer]
        return last == shown ? nil : "\(name) shows \(shown), but its observer was told \(last ?? "nothing")"
    }
}

extension QueryResult {
    func words(_ describe: (Data) -> String) -> String {
        switch self {
        case .loading: "loading"
        case .failure(let error): "failure \(error)"
        case .success(let data): data.map(describe) ?? "null"
        }
    }
}

/// A query handle.
final class QueryPart<Query: GraphQLQuery>: EffectsPart {
    let handle: QueryHandle<Query>
    let policy: FetchPolicy
    private let variables: (Int) -> Query.Variables
    private let describe: @Sendable (Query.Data) -> String
    private let films: (Query.Data) -> [String: String]
    private var asked: (variables: Query.Variables, key: Int?)?
    private(set) var polls = false

    init(
        _ name: String, _ handle: QueryHandle<Query>, _ policy: FetchPolicy,
        variables: @escaping (Int) -> Query.Variables,
        films: @escaping @Sendable (Query.Data) -> [String: String],
        describe: (@Sendable (Query.Data) -> String)? = nil
    ) {
        self.handle = handle
        self.policy = policy
        self.variables = variables
        self.films = films
        self.describe =
            describe ?? { films($0).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ") }
        super.init("\(name) \(policy)")
    }

    override var shown: String { handle.result.words(describe) }

    override var awaited: [String] {
        guard handle.isFetching, let operation = handle.core.operation else { return [] }
        return [operation.artifact.name + operation.variables.canonicalText]
    }

    /// A handle of a preloaded query holds that until its first `get`.
    override func mayAwait(_ request: NetworkRequest) -> Bool {
        super.mayAwait(request) || asked == nil && request.operationName == "Film"
    }

    override func draw() {
        if let asked { _ = handle.get(asked.variables, fetchKey: asked.key) }
    }

    override func observe(_ number: Int, on watcher: Watcher) -> ObservationToken? {
        handle.observe(on: watcher) { [describe] watcher, result in watcher.note(number, result.words(describe)) }
    }

    override func act(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4:
            let number = Int.random(in: 1...4, using: &random)
            let key = [nil, asked?.key, 1, 2].randomElement(using: &random) ?? nil
            asked = (variables(number), key)
            _ = handle.get(variables(number), fetchKey: key)
            return "get(\(number), fetchKey: \(key ?? 0))"
        case 5:
            handle.cancel()
            return "cancel()"
        case 6:
            handle.skip()
            asked = nil
            return "skip()"
        case 7, 8:
            handle.retry()
            return "retry()"
        case 9:
            polls.toggle()
            handle.poll(every: polls ? .seconds(10) : nil)
            return "poll(\(polls))"
        default:
            model.begin { [handle] in _ = await handle.refetched() }
            return "refetch()"
        }
    }

    override func violations(_ model: EffectsModel) -> [String] {
        guard let operation = handle.core.operation else {
            return handle.result == .loading && !handle.isFetching ? [] : ["\(name) shows \(shown) before `get`"]
        }
        var found: [String] = []
        let store = model.environment.store
        if store.operations.holderCount(of: operation) == 0 { found.append("\(name) does not retain its operation") }
        guard case .success(let data) = handle.result else { return found }
        let fresh = store.read(Query.Data.self, at: operation.root, operation.reader).data
        if fresh != data {
            found.append("\(name) shows \(shown), but the store has \(fresh.map(describe) ?? "nothing")")
        }
        for (id, title) in data.map(films) ?? [String: String]() where model.title(id) != title {
            found.append("\(name) shows \(title) of film \(id), which is \(model.title(id) ?? "missing")")
        }
        return found
    }
}

/// A fragment handle of a row, which may get other references and none.
final class FragmentPart: EffectsPart {
    private let handle: FragmentHandle<Films.FilmRow>
    private let id: @Sendable (Films.FilmRow.Data) -> String = { "\($0.title) \($0.favourite.map { "\($0)" } ?? "-")" }

    init(_ reference: FragmentReference<Films.FilmRow>?, _ environment: RelayEnvironment) {
        handle = FragmentHandle(reference, in: environment)
        super.init("row")
    }

    override var shown: String { handle.get().words(id) }
    override func draw() { _ = handle.get() }

    override func observe(_ number: Int, on watcher: Watcher) -> ObservationToken? {
        handle.observe(on: watcher) { [id] watcher, result in watcher.note(number, result.words(id)) }
    }

    override func act(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        handle.show(model.row(&random))
        return "update()"
    }

    override func violations(_ model: EffectsModel) -> [String] {
        guard let reference = handle.reference else {
            return handle.get() == .success(nil) ? [] : ["\(name) shows \(shown) without a reference"]
        }
        guard case .success(let data) = handle.get() else { return [] }
        var found: [String] = []
        if model.environment.read(reference) != data { found.append("\(name) shows \(shown), not what the store has") }
        let film = model.film(reference.dataID)
        if let data, film != EffectsService.Film(title: data.title, favourite: data.favourite) {
            found.append("\(name) shows \(shown), but the film is \(film)")
        }
        return found
    }
}

/// A query and a handle of the pages of its list. All lists of one user are one list in the store.
final class PagesPart: EffectsPart {
    private let board: QueryHandle<Todos.BoardQuery>
    private let list: FragmentHandle<Todos.TodoList>
    private let all: [String]

    init(_ model: EffectsModel) {
        board = QueryHandle(in: model.environment, fetchPolicy: .storeOrNetwork)
        list = FragmentHandle(nil, in: model.environment)
        all = model.service.todos.lists["a"] ?? []
        super.init("pages")
        draw()
    }

    override var shown: String { list.get().words { $0.ids.joined(separator: " ") } }

    override var awaited: [String] { board.isFetching ? [#"Board{"id":"a"}"#] : [] }

    override func mayAwait(_ request: NetworkRequest) -> Bool {
        request.operationName == "Board" && board.isFetching
            || request.operationName == "TodoPage" && (list.isLoadingNext || list.isFetching)
    }

    override func draw() {
        if case .success(let data) = board.get(.init(id: "a")), let reference = data?.node?.list {
            list.show(reference)
        }
    }

    override func observe(_ number: Int, on watcher: Watcher) -> ObservationToken? {
        list.observe(on: watcher) { watcher, result in
            watcher.note(number, result.words { $0.ids.joined(separator: " ") })
        }
    }

    override func act(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        switch Int.random(in: 0..<7, using: &random) {
        case 0...3:
            list.loadNext(2)
            return "loadNext(2)"
        case 4:
            list.refetch(count: 2, cursor: .null)
            return "refetch()"
        case 5:
            list.cancel()
            return "cancel()"
        default:
            list.retry()
            return "retry()"
        }
    }

    override func violations(_ model: EffectsModel) -> [String] {
        guard case .success(let data?) = list.get(), data.todos != nil, let reference = list.reference else {
            return []
        }
        var found: [String] = []
        if model.environment.read(reference) != data { found.append("\(name) shows \(shown), not what the store has") }
        if data.ids != Array(all.prefix(data.ids.count)) {
            found.append("\(name) has lost or doubled a todo: \(shown)")
        }
        if list.hasNext != (data.ids.count < all.count) { found.append("\(name) has a wrong end: \(shown)") }
        return found
    }
}

/// A paged query.
final class PagedPart: EffectsPart {
    private let list: PagedQuery<Todos.OffsetQuery>
    private let environment: RelayEnvironment
    private var isAsked = false

    init(_ environment: RelayEnvironment) {
        self.environment = environment
        list = PagedQuery(in: environment, fetchPolicy: .storeOrNetwork) { pages in
            guard let last = pages.last, last.data.items?.count == 2 else { return nil }
            return Todos.OffsetQuery.Variables(offset: last.variables.offset + 2, limit: 2)
        }
        super.init("paged")
        draw()
    }

    private static func ids(_ pages: [Todos.OffsetQuery.Data]) -> [String] {
        pages.flatMap { page in page.items?.map(\.id) ?? [] }
    }

    override var shown: String { list.result.words { Self.ids($0).joined(separator: " ") } }
    override func draw() { _ = list.get(.init(offset: 0, limit: 2)) }

    override func mayAwait(_ request: NetworkRequest) -> Bool {
        request.operationName == "Offset" && (list.isFetching || list.isLoadingNext)
    }

    override func observe(_ number: Int, on watcher: Watcher) -> ObservationToken? {
        list.observe(on: watcher) { watcher, result in
            watcher.note(number, result.words { Self.ids($0).joined(separator: " ") })
        }
    }

    override func act(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2:
            list.loadNext()
            return "loadNext()"
        case 3:
            list.cancel()
            return "cancel()"
        case 4:
            list.retry()
            return "retry()"
        default:
            model.begin { [list] in _ = await list.refetched() }
            return "refetch()"
        }
    }

    override func violations(_ model: EffectsModel) -> [String] {
        guard case .success(let pages?) = list.result else { return [] }
        var found: [String] = []
        let ids = Self.ids(pages)
        if ids != (0..<ids.count).map({ "o\($0)" }) { found.append("\(name) has lost or doubled an item: \(shown)") }
        for (number, page) in pages.enumerated() {
            let query = Todos.OffsetQuery(variables: .init(offset: number * 2, limit: 2))
            let operation = environment.store.bind(query)
            let fresh = environment.store.read(Todos.OffsetQuery.Data.self, at: operation.root, operation.reader).data
            if fresh != page { found.append("page \(number) of \(name) is not what the store has: \(shown)") }
        }
        return found
    }
}

/// A subscription handle.
final class SubscriptionPart: EffectsPart {
    private let handle: SubscriptionHandle<FilmChangedSubscription>
    private var asked: String?
    private let describe: @Sendable (FilmChangedSubscription.Data) -> String = { data in
        data.filmChanged.map { "\($0.id)=\($0.title)" } ?? "null"
    }

    init(_ environment: RelayEnvironment) {
        handle = SubscriptionHandle(in: environment)
        super.init("subscription")
    }

    override var shown: String { handle.result.words(describe) }
    override var awaited: [String] { handle.isFetching ? [#"FilmChanged{"id":"\#(asked ?? "")"}"#] : [] }
    override func draw() { if let asked { _ = handle.subscribe(.init(id: asked)) } }

    override func observe(_ number: Int, on watcher: Watcher) -> ObservationToken? {
        handle.observe(on: watcher) { [describe] watcher, result in watcher.note(number, result.words(describe)) }
    }

    override func act(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        switch Int.random(in: 0..<5, using: &random) {
        case 0...2:
            let id = EffectsService.ids.randomElement(using: &random) ?? "1"
            asked = id
            draw()
            return "subscribe(\(id))"
        case 3:
            handle.cancel()
            return "cancel()"
        default:
            handle.retry()
            return "retry()"
        }
    }

    override func violations(_ model: EffectsModel) -> [String] {
        guard case .success(let data?) = handle.result, let film = data.filmChanged else { return [] }
        if film.id != asked { return ["\(name) shows \(shown), but was asked for \(asked ?? "nothing")"] }
        return model.title(film.id) == film.title
            ? [] : ["\(name) shows \(shown), but the film is \(model.film(film.id))"]
    }
}

/// A preloaded query that no handle was made of yet.
final class PreloadPart: EffectsPart {
    let preloaded: PreloadedQuery<Films.FilmQuery>

    init(_ environment: RelayEnvironment, _ id: String, _ policy: FetchPolicy) {
        preloaded = environment.preload(Films.FilmQuery(id: id), policy: policy)
        super.init("preloaded \(id) \(policy)")
    }

    override var awaited: [String] {
        preloaded.isFetching ? [#"Film{"id":"\#(preloaded.query.variables.id)"}"#] : []
    }

    override func act(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        preloaded.cancel()
        return "cancel()"
    }
}
