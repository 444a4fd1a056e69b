import RandomCases

@testable import Baton

/// A random script over handles of all kinds in one environment: what they do, what the network gives, and what else
/// happens to the store. After each step, when nothing is under way, everything must fit together.
///
/// Each step has random numbers of its own, so that a script without some of its steps is a script, too.
final class EffectsModel {
    /// A script that went wrong.
    struct Failure {
        let complaints: [String]
        /// The number of the step after which something was wrong.
        let step: Int
        let script: [String]
    }

    struct Layer {
        let number: Int
        let id: String
        let film: EffectsService.Film
        /// Nil for the optimistic change of a commit.
        let token: OptimisticLayer?
    }

    let network = PlayedNetwork()
    let clock = SleepingClock()
    let environment: RelayEnvironment
    let watcher = Watcher()
    var service = EffectsService()
    private var parts: [EffectsPart] = []
    private let commits: EffectsCommits
    /// What the store has below all layers.
    private var base: [String: EffectsService.Film] = [:]
    private var layers: [Layer] = []
    private var lastLayer = 0
    private var lastPart = 0
    private var tasks: [Task<Void, Never>] = []
    private var ends: [Later<Bool>] = []
    private var complaints: [String] = []
    /// What was drawn last, and what tells of its changes.
    private var frame: (shown: [Int: String], changed: TrackedChange)?
    /// True if a handle that the frame has read was dropped. The frame keeps it, and what it waits for.
    private var isDroppedOnFrame = false

    private init() {
        environment = RelayEnvironment(
            network: network, options: StoreOptions(releaseBufferSize: 0, keepsNewerFields: false), clock: clock,
            log: { _ in })
        commits = EffectsCommits(environment)
    }

    /// Runs the script of a seed without some of its steps; returns nil if nothing was wrong.
    static func run(seed: UInt64, steps: Int, without skipped: Set<Int> = []) async -> Failure? {
        let model = EffectsModel()
        var script: [String] = []
        for step in 0..<steps where !skipped.contains(step) {
            var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(step))
            let text = await model.step(&random)
            script.append("\(step): \(text)")
            await model.settle()
            await model.check()
            if !model.complaints.isEmpty { return Failure(complaints: model.complaints, step: step, script: script) }
        }
        await model.end()
        return model.complaints.isEmpty
            ? nil : Failure(complaints: model.complaints, step: steps, script: script + ["end"])
    }

    // MARK: - What is expected

    /// What handles must show of a film: the store's fields under those of the layers.
    func film(_ id: DataID) -> EffectsService.Film {
        let id = id.rawValue
        var film = base[id] ?? EffectsService.Film()
        for layer in layers where layer.id == id {
            film.title = layer.film.title ?? film.title
            film.favourite = layer.film.favourite ?? film.favourite
        }
        return film
    }

    func film(_ id: String) -> EffectsService.Film { film(DataID(id)) }
    func title(_ id: String) -> String? { film(id).title }

    func addLayer(_ film: EffectsService.Film, of id: String, _ token: OptimisticLayer? = nil) -> Int {
        lastLayer += 1
        layers.append(Layer(number: lastLayer, id: id, film: film, token: token))
        return lastLayer
    }

    func removeLayer(_ number: Int) { layers.removeAll { $0.number == number } }

    private func write(_ films: [String: EffectsService.Film]) {
        for (id, film) in films {
            let old = base[id]
            base[id] = .init(title: film.title ?? old?.title, favourite: film.favourite ?? old?.favourite)
        }
    }

    // MARK: - Waiting

    /// Starts a task that the end of the script waits for. It has begun to wait when this method returns.
    func begin(_ body: @escaping @Sendable () async -> Void) {
        let isOver = Later<Bool>()
        ends.append(isOver)
        tasks.append(
            Task.begun {
                await body()
                isOver.value = true
            })
    }

    /// Waits until something holds, but not for ever.
    func wait(_ what: String, until condition: @Sendable () -> Bool) async {
        for _ in 0..<2_000_000 {
            if condition() { return }
            await Task.yield()
        }
        complaints.append("\(what) does not come")
    }

    /// Waits until every request in flight waits for the test and nothing else is under way.
    func settle() async {
        await wait("rest") { [environment, network] in
            let counts = environment.activity.counts
            return counts.deliveries == 0 && counts.collections == 0 && counts.requests == network.waiting.count
                && environment.activity.counts.revision == counts.revision
        }
    }

    // MARK: - Steps

    private func step(_ random: inout SeededGenerator) async -> String {
        switch Int.random(in: 0..<40, using: &random) {
        case 0...4: return add(&random)
        case 5...14:
            guard let part = parts.randomElement(using: &random) else { return add(&random) }
            return "\(part.name): \(await part.act(self, &random))"
        case 15...23: return await respond(&random)
        case 24...25: return await commits.begin(self, &random)
        case 26: return await commits.cancel(self, &random)
        case 27: return commits.replace(self)
        case 28...29: return change(&random)
        case 30...31: return changeLayers(&random)
        case 32:
            guard let part = parts.randomElement(using: &random) else { return "nothing" }
            await part.switchObserver(watcher)
            return "observe \(part.name), or no more"
        case 33, 34:
            guard let index = parts.indices.randomElement(using: &random) else { return "nothing" }
            let part = parts.remove(at: index)
            if frame?.shown[part.number] != nil { isDroppedOnFrame = true }
            return "drop \(part.name)"
        case 35: return collect()
        case 36: return await advance()
        case 37: return fetch(&random)
        case 38: return invalidate(&random)
        default:
            if Int.random(in: 0..<3, using: &random) > 0 { return draw() }
            return await reset()
        }
    }

    private func add(_ random: inout SeededGenerator) -> String {
        let policy = FetchPolicy.allCases.randomElement(using: &random) ?? .networkOnly
        let triggers: Freshness.Triggers =
            Int.random(in: 0..<4, using: &random) == 0 ? [.invalidation, .missingData] : []
        let freshness = Freshness(refetchOn: triggers)
        let part: EffectsPart
        switch Int.random(in: 0..<11, using: &random) {
        case 0...1:
            part = filmPart(
                QueryHandle(in: environment, fetchPolicy: policy, freshness: freshness), policy)
        case 2:
            part = QueryPart(
                "title", QueryHandle<Films.TitleQuery>(in: environment, fetchPolicy: policy, freshness: freshness),
                policy, variables: { .init(id: "\($0)") },
                films: { $0.film.map { [$0.id: $0.title] } ?? [:] })
        case 3...4:
            part = QueryPart(
                "list", QueryHandle<Films.ListQuery>(in: environment, fetchPolicy: policy, freshness: freshness),
                policy, variables: { .init(first: .value($0)) }, films: { _ in [:] },
                describe: { data in data.films.map { $0?.id ?? "null" }.joined(separator: " ") })
        case 5...6: part = FragmentPart(row(&random), environment)
        case 7: part = PagesPart(self)
        case 8: part = PagedPart(environment)
        case 9: part = SubscriptionPart(environment)
        default:
            if let index = parts.firstIndex(where: { $0 is PreloadPart }), let preload = parts[index] as? PreloadPart {
                parts.remove(at: index)
                part = filmPart(QueryHandle(preload.preloaded), preload.preloaded.policy)
            } else {
                part = PreloadPart(environment, EffectsService.ids.randomElement(using: &random) ?? "1", policy)
            }
        }
        lastPart += 1
        part.number = lastPart
        parts.append(part)
        return "add \(part.name)"
    }

    private func filmPart(_ handle: QueryHandle<Films.FilmQuery>, _ policy: FetchPolicy) -> EffectsPart {
        QueryPart(
            "film", handle, policy, variables: { .init(id: "\($0)") },
            films: { $0.film.map { [$0.id: $0.title] } ?? [:] })
    }

    /// A reference to a row that a handle of the script shows; sometimes none.
    func row(_ random: inout SeededGenerator) -> FragmentReference<Films.FilmRow>? {
        let rows = parts.flatMap { part -> [FragmentReference<Films.FilmRow>] in
            if let part = part as? QueryPart<Films.FilmQuery> {
                return [part.handle.result.data?.film?.row].compactMap(\.self)
            }
            return (part as? QueryPart<Films.ListQuery>)?.handle.result.data?.films.compactMap { $0?.row } ?? []
        }
        return Int.random(in: 0..<5, using: &random) == 0 ? nil : rows.randomElement(using: &random)
    }

    /// Answers a request in flight, sends an event, ends a stream, or lets a request fail.
    private func respond(_ random: inout SeededGenerator) async -> String {
        let waiting = network.waiting
        guard let request = waiting.randomElement(using: &random) else { return "nothing waits" }
        let kind = Int.random(in: 0..<8, using: &random)
        if kind == 0 {
            network.fail(request)
            if request.kind == .mutation { await commits.end(request, self) }
            return "fail \(request.title)"
        }
        if request.kind == .subscription {
            if kind == 1 {
                network.complete(request)
                return "complete \(request.title)"
            }
            let id = request.text("id") ?? ""
            let title = "event \(Int.random(in: 0...99, using: &random))"
            service.films[id] = .init(title: title, favourite: service.films[id]?.favourite ?? false)
            network.give(FilmChangedSubscription.event(id, title), to: request)
            write([id: .init(title: title, favourite: nil)])
            return "event of \(request.title): \(title)"
        }
        if kind == 1 {
            network.give(#"{"data":null,"errors":[{"message":"no"}]}"#, to: request)
            if request.kind == .mutation { await commits.end(request, self) }
            return "null for \(request.title)"
        }
        if request.kind == .mutation, let id = request.text("id"), service.films[id] != nil {
            let isTrue = request.variables.contains { $0.name == "favourite" && $0.value == .bool(true) }
            service.films[id]?.favourite = isTrue
        } else if Int.random(in: 0..<4, using: &random) == 0, let id = EffectsService.ids.randomElement(using: &random)
        {
            service.films[id] = .init(title: "new \(Int.random(in: 0...99, using: &random))", favourite: true)
        }
        let (json, written) = service.answer(request)
        network.give(json, to: request)
        await settleAnswer(of: request)
        write(written)
        return "answer \(request.title)"
    }

    private func settleAnswer(of request: NetworkRequest) async {
        if request.kind == .mutation { await commits.end(request, self) }
    }

    /// Changes records locally; several in a batch are told at once.
    private func change(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 1...3, using: &random)
        var changes: [String] = []
        environment.batch {
            for _ in 0..<count {
                let id = EffectsService.ids.randomElement(using: &random) ?? "1"
                let title = "local \(Int.random(in: 0...99, using: &random))"
                let isThere = try? environment.update { store in
                    guard let film = store.get(DataID(id)) else { return false }
                    try film.setValue(.string(title), forField: "title")
                    return true
                }
                if isThere == true { write([id: .init(title: title, favourite: nil)]) }
                changes.append("\(id) \(title)")
            }
        }
        return "update \(changes)"
    }

    private func changeLayers(_ random: inout SeededGenerator) -> String {
        let own = layers.filter { $0.token != nil }
        if own.count >= 3 || Bool.random(using: &random), let layer = own.randomElement(using: &random) {
            layer.token?.revert()
            removeLayer(layer.number)
            return "revert layer \(layer.number)"
        }
        let id = EffectsService.ids.randomElement(using: &random) ?? "1"
        let title = "layer \(lastLayer + 1)"
        let token = environment.applyUpdate { store in
            try store.get(DataID(id))?.setValue(.string(title), forField: "title")
        }
        return "layer \(addLayer(.init(title: title, favourite: nil), of: id, token)) on \(id)"
    }

    /// Collects garbage, which must leave everything on show.
    private func collect() -> String {
        let before = parts.map(\.shown)
        environment.collectGarbage()
        if parts.map(\.shown) != before { complaints.append("a collection has changed what is shown") }
        // Films that nothing holds are gone.
        for id in base.keys where environment.store.contents(of: DataID(id)) == nil { base[id] = nil }
        return "collect"
    }

    /// Lets the handles poll that do so.
    private func advance() async -> String {
        let polling = parts.filter { ($0 as? QueryPart<Films.FilmQuery>)?.polls == true }.count
        await wait("sleep") { [clock] in clock.sleepers >= polling }
        clock.advance(by: .seconds(10))
        await wait("sleep after a poll") { [clock] in
            clock.sleepers >= polling && clock.nextDeadline.map { $0 > clock.now } != false
        }
        return "ten seconds"
    }

    private func fetch(_ random: inout SeededGenerator) -> String {
        let id = EffectsService.ids.randomElement(using: &random) ?? "1"
        if let task = tasks.last, Bool.random(using: &random) {
            task.cancel()
            return "cancel a task"
        }
        begin { [environment] in _ = try? await environment.fetch(Films.TitleQuery(id: id)) }
        return "fetch \(id)"
    }

    private func invalidate(_ random: inout SeededGenerator) -> String {
        if Bool.random(using: &random) {
            environment.invalidate()
        } else {
            environment.invalidate(DataID(EffectsService.ids.randomElement(using: &random) ?? "1"))
        }
        return "invalidate"
    }

    private func reset() async -> String {
        environment.reset(refetching: true)
        (base, layers) = ([:], [])
        await commits.reset(self)
        return "reset"
    }

    /// Draws a frame of all handles.
    private func draw() -> String {
        let (shown, changed) = environment.track {
            for part in parts { part.draw() }
            return Dictionary(parts.map { ($0.number, $0.shown) }) { first, _ in first }
        }
        frame = (shown, changed)
        isDroppedOnFrame = false
        return "draw"
    }

    // MARK: - Invariants

    private func check() async {
        for part in parts {
            complaints += part.violations(self)
            if let violation = await part.violation(of: watcher) { complaints.append(violation) }
        }
        complaints += await watcher.complaints + commits.violations(self) + environment.store.checkInvariants()
        let waiting = network.waiting
        for title in parts.flatMap(\.awaited) where !waiting.contains(where: { $0.title == title }) {
            complaints.append("\(title) is awaited, but not in flight")
        }
        if ends.allSatisfy({ $0.value == true }), !isDroppedOnFrame {
            for request in waiting where request.kind != .mutation {
                if !parts.contains(where: { $0.mayAwait(request) }) {
                    complaints.append("nobody waits for \(request.title)")
                }
            }
        }
        let layerCount = environment.store.layerCount
        if layerCount != layers.count { complaints.append("\(layerCount) layers instead of \(layers.count)") }
        checkFrame()
    }

    /// A frame that nothing has told of a change still shows what would be drawn.
    private func checkFrame() {
        guard let frame else { return }
        if frame.changed.hasChanged {
            self.frame = nil
            isDroppedOnFrame = false
            return
        }
        for part in parts {
            guard let drawn = frame.shown[part.number], drawn != part.shown else { continue }
            complaints.append("a frame shows \(drawn) of \(part.name), was told nothing, and now it is \(part.shown)")
        }
    }

    /// Ends everything; nothing may be left.
    private func end() async {
        for task in tasks { task.cancel() }
        for end in ends { await wait("the end of a task") { end.value == true } }
        while let request = network.waiting.first(where: { $0.kind == .mutation }), complaints.isEmpty {
            network.give(service.answer(request).json, to: request)
            await commits.end(request, self)
            await settle()
        }
        for layer in layers { layer.token?.revert() }
        layers = []
        (parts, frame) = ([], nil)
        tasks = []
        await settle()
        if !network.waiting.isEmpty { complaints.append("in flight after the end of all handles: \(network.waiting)") }
        if environment.store.layerCount > 0 { complaints.append("a layer is left") }
        for number in 0...1 { commits.replace(number, in: environment) }
        environment.collectGarbage()
        let left = environment.store.records.rowCount
        if left > 1 { complaints.append("\(left) records are held after the end of all handles") }
        if environment.store.subscriptionCount > 0 { complaints.append("a subscription to the store is left") }
        if clock.sleepers > 0 {
            await wait("the end of all timers") { [clock] in clock.sleepers == 0 }
        }
    }
}
