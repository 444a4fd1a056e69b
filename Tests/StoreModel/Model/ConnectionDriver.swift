import Baton
import RandomCases

/// Performs the same steps on connections of a store and on arrays, and compares what readers see.
///
/// The steps include pages, late pages, updates, answers of mutations with edges, optimistic changes, collections,
/// snapshots and subscriptions. The data IDs of edges and connections are not compared.
final class ConnectionDriver: ModelDriver {
    typealias Place = ModelConnections.Place
    typealias Difference = StoreDriver.Difference

    struct Live {
        let place: Place
        let id: SubscriptionID
        let subscriber: StoreDriver.Subscriber
        var dependencies: Dependencies
        var json: JSONValue
        var told = 0
        var isOld = false
    }

    struct Held {
        let generation: Int
        let staged: StagedResponse
        let bound: BoundOperation
        let page: ModelConnections.Page?
        let place: Place
        let cursor: ModelConnections.Cursor
    }

    let store = Store()
    var tell: ((String) -> Void)?
    var generator = SeededGenerator(seed: 0)
    var model = ModelConnections()
    var layers: [(id: LayerID, seed: UInt64)] = []
    var top = ModelConnections()
    var live: [Live] = []
    var held: [Held] = []
    var kept: (bytes: [UInt8], model: ModelConnections)?
    var generation = 0
    var clock = 1
    /// The clock when each query in flight began.
    var inFlight: [Int: Int] = [:]
    /// The clock of the last write, for writes that are newer than queries in flight: to a node, by its deletion, or to
    /// the edges of a connection.
    var writtenAt: [String: Int] = [:]
    var deletedAt: [String: Int] = [:]
    var edgesAt: [Place: Int] = [:]
    let readers: [Place: BoundOperation]
    private let items: [String: [SelectionPlan.Item]]

    // MARK: - Operations

    private static let edge = "{cursor:String node:+N0{id:ID! i0:Int}}"
    private static let feed =
        #"feed(after:$after,before:$before,first:$first,last:$last,tag:$tag):Feed@connection("K",tag)"#
        + "{total:Int edges:[FeedEdge]\(edge) pageInfo:PageInfo"
        + "{endCursor:String hasNextPage:Boolean hasPreviousPage:Boolean startCursor:String}}"
    private static let variables = "(after,before,first,last,tag)"
    static let pages = [
        "client:root": ModelOperation("Feed", .query, "\(variables){\(feed)}"),
        "owner": ModelOperation("OwnFeed", .query, "\(variables){owner:+N1{id:ID! \(feed)}}"),
    ]
    static let addition = ModelOperation("Add", .mutation, "{add:[FeedEdge]\(edge)}")

    init(world: UInt64) {
        var readers: [Place: BoundOperation] = [:]
        for place in Place.all {
            guard let operation = Self.pages[place.parent] else { continue }
            let bound = store.bind(operation.artifact, variables: .object(Self.tag(place)))
            store.operations.retain(bound)
            readers[place] = bound
        }
        self.readers = readers
        items = Self.pages.mapValues(\.items)
    }

    static func tag(_ place: Place) -> [JSONValue.Member] { place.tag.map { [.init("tag", .string($0))] } ?? [] }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw Difference(description: text()) }
    }

    // MARK: - Steps

    func perform(_ step: Step) throws {
        generator = SeededGenerator(seed: step.seed)
        try perform(step.kind)
        try checkSubscribers()
        try compare()
        let violations = store.checkInvariants()
        try expect(violations.isEmpty, violations.joined(separator: "; "))
    }

    func finish() throws {
        while !layers.isEmpty { try drop() }
        try compare()
    }

    private func perform(_ kind: Step.Kind) throws {
        switch kind {
        case .answer, .again, .read: try land(makePage())
        case .early:
            held.append(try makePage())
            if held.count > 3 { held.removeFirst() }
        case .land: if !held.isEmpty { try land(held.remove(at: generator.below(held.count))) }
        case .update, .check: try update()
        case .nested, .updater: try reply()
        case .optimistic:
            guard layers.count < 4 else { return }
            let seed = generator.next()
            let id = store.apply { source in for edit in ConnectionEdit.some(seed) { _ = try edit.run(on: source) } }
            layers.append((id, seed))
        case .replace:
            guard !layers.isEmpty else { return }
            let (index, seed) = (generator.below(layers.count), generator.next())
            store.replace(layers[index].id) { source in
                for edit in ConnectionEdit.some(seed) { _ = try edit.run(on: source) }
            }
            layers[index].seed = seed
        case .drop, .confirm: if !layers.isEmpty { try drop() }
        case .pile:
            for _ in 0..<generator.below(8) where layers.count < 12 {
                let seed = generator.next()
                let id = store.apply { source in for edit in ConnectionEdit.some(seed) { _ = try edit.run(on: source) }
                }
                layers.append((id, seed))
            }
        case .revert:
            guard !layers.isEmpty else { return }
            let ids = (0..<(1 + generator.below(layers.count))).map { _ in
                layers.remove(at: generator.below(layers.count)).id
            }
            try expect(store.drop(ids), "layers were gone")
        case .begin:
            guard inFlight.count < 3 else { return }
            let request = Int(generator.next() % 1_000_000) + 1
            store.queryBegins(request)
            inFlight[request] = clock
        case .end:
            guard let request = inFlight.keys.sorted().first else { return }
            store.queryEnds(request)
            inFlight[request] = nil
        case .subscribe: subscribe()
        case .reread: try readAgain()
        case .unsubscribe:
            if !live.isEmpty { store.unsubscribe(live.remove(at: generator.below(live.count)).id) }
        case .collect, .slice: try collect(kind == .collect)
        case .keep: kept = (store.snapshot(), model)
        case .restore: try restore()
        case .reset: reset()
        default: break
        }
    }

    /// Computes the state that readers see from the base and all optimistic changes.
    private func replay() {
        top = model
        for (_, seed) in layers { for edit in ConnectionEdit.some(seed) { _ = edit.run(on: &top) } }
    }

    private func drop() throws {
        let id = layers.remove(at: generator.below(layers.count)).id
        try expect(store.drop(id), "a layer was gone")
    }

    private func update() throws {
        let edits = ConnectionEdit.some(generator.next())
        var next = model
        next.written = []
        clock += 1
        try store.update { source in
            for edit in edits {
                let expected = edit.run(on: &next)
                tell?("\(edit)")
                let found = try edit.run(on: source)
                try expect(found == expected, "\(edit) did \(found) and not \(expected)")
                note(edit, expected)
            }
            try compareBase(next, source)
        }
        for place in next.written { edgesAt[place] = clock }
        model = next
    }

    private func note(_ edit: ConnectionEdit, _ count: Int) {
        guard count > 0 else { return }
        switch edit {
        case .set(let node, _), .create(let node, _): noteWrite(of: node)
        case .delete(let node, _):
            writtenAt[node] = nil
            deletedAt[node] = clock
        default: break
        }
    }

    func noteWrite(of node: String) {
        deletedAt[node] = nil
        writtenAt[node] = clock
    }

    /// Checks that an update sees the connection without optimistic changes.
    private func compareBase(_ state: ModelConnections, _ source: RecordSourceProxy) throws {
        let place = generator.pick(Place.all)
        guard place.parent == "client:root" || source.get(DataID(place.parent)) != nil else { return }
        let parent = place.parent == "client:root" ? source.root : source.get(DataID(place.parent))
        guard let parent else { return }
        let connection = source.connection(on: parent, key: "K", filters: place.filters)
        try expect((connection == nil) == (state[place] == nil), "an update finds \(place)")
        let nodes = (state[place]?.edges ?? []).map { edge in edge?.node.flatMap { state.exists($0) ? $0 : nil } }
        let found = connection?.nodes.map { $0?.dataID.rawValue } ?? []
        try expect(found == nodes, "an update reads \(found) in \(place) and not \(nodes)")
        for node in ConnectionEdit.nodes {
            let isThere = (state[place]?.edges ?? []).contains { $0 != nil && $0?.node == node }
            try expect(connection?.contains(DataID(node)) ?? false == isThere, "an update finds \(node) in \(place)")
        }
    }

    // MARK: - Reading

    func json(_ state: ModelConnections, at place: Place) -> JSONValue {
        let feed = state.json(at: place)
        guard place.parent == "owner" else { return ["__typename": "__Root", "feed": feed] }
        let owner: JSONValue = ["__typename": "N1", "id": "owner", "feed": feed]
        return ["__typename": "__Root", "owner": state.ownerIsThere ? owner : .null]
    }

    private func read(_ place: Place, after: Dependencies? = nil) -> (json: JSONValue?, dependencies: Dependencies)? {
        guard let bound = readers[place], let items = items[place.parent] else { return nil }
        let snapshot = store.read(AnyData.self, at: bound.root, bound.reader, after: after)
        return (snapshot.data?.json(items), snapshot.dependencies)
    }

    private func compare() throws {
        replay()
        for place in Place.all {
            // No page has been published so far.
            guard let found = read(place)?.json else {
                try expect(!top.isBegun, "nothing is read of \(place)")
                continue
            }
            let expected = json(top, at: place)
            try expect(found == expected, "\(place) is \(found.text) and not \(expected.text)")
        }
    }

    private func subscribe() {
        guard live.count < 8 else { return }
        let place = generator.pick(Place.all)
        guard let (_, dependencies) = read(place) else { return }
        replay()
        let subscriber = StoreDriver.Subscriber()
        let id = store.subscribe(subscriber, to: dependencies)
        live.append(
            Live(place: place, id: id, subscriber: subscriber, dependencies: dependencies, json: json(top, at: place)))
    }

    /// Checks that every subscriber whose data changed was notified.
    private func checkSubscribers() throws {
        replay()
        for index in live.indices {
            let one = live[index]
            if one.subscriber.count > one.told { live[index].isOld = true }
            live[index].told = one.subscriber.count
            let isSame = json(top, at: one.place) == one.json
            try expect(live[index].isOld || isSame, "the reader of \(one.place) was not told")
        }
    }

    private func readAgain() throws {
        replay()
        for index in live.indices where live[index].isOld && generator.chance(70) {
            let one = live[index]
            guard let (found, dependencies) = read(one.place, after: one.dependencies) else { continue }
            let expected = json(top, at: one.place)
            try expect(
                found == nil ? !top.isBegun : found == expected,
                "who reads \(one.place) again sees \(found?.text ?? "nothing") and not \(expected.text)")
            _ = store.subscribe(quietly: one.subscriber, to: dependencies, replacing: one.id)
            live[index].dependencies = dependencies
            live[index].json = expected
            live[index].isOld = false
        }
    }

    // MARK: - Everything

    /// Collects garbage in the store and the model; data of retained queries stays.
    private func collect(_ isWhole: Bool) throws {
        if isWhole {
            store.collector.collectGarbage()
        } else {
            store.collectSome(slices: 1 + generator.below(4), size: 1 + generator.below(12))
        }
        forgetCollected()
    }

    private func forgetCollected() {
        let known = Set(store.contents().map(\.id.rawValue))
        for node in ConnectionEdit.nodes where !known.contains(node) {
            model.nodes[node] = nil
            model.deleted.remove(node)
        }
        for place in Place.all where model.linked[place] != true {
            let id = DataID.connection(on: DataID(place.parent), key: "K", filters: place.filters)
            if !known.contains(id.rawValue) || isTorn(id) { model.kept[place] = nil }
        }
    }

    /// Whether a part of an unreachable connection was collected, so that the rest is not compared.
    private func isTorn(_ id: DataID) -> Bool {
        let links = (store.contents(of: id)?.fields ?? []).flatMap { field -> [RecordID] in
            switch field.value {
            case .link(let record) where field.key == "pageInfo": [record]
            case .links(let records) where field.key == "edges": records.filter { $0 != .none }
            default: []
            }
        }
        return links.contains { store.contents(of: store.dataID(of: $0)) == nil }
    }

    private func restore() throws {
        guard let kept, layers.isEmpty else { return }
        try store.restore(kept.bytes)
        model = kept.model
        forgetCollected()
    }

    private func reset() {
        for request in inFlight.keys { store.queryEnds(request) }
        inFlight = [:]
        store.reset()
        (model, layers) = (ModelConnections(), [])
        (writtenAt, deletedAt, edgesAt) = ([:], [:], [:])
        generation += 1
    }
}
