import Baton
import RandomCases

extension ConnectionDriver {
    /// Makes a random page of a random connection; the page is normalized but not published.
    func makePage() throws -> Held {
        let place = generator.pick(Place.all)
        let cursor = makeCursor(place)
        var variables = Self.tag(place)
        switch cursor {
        case .none: if generator.chance(30) { variables.append(.init("first", .int(2))) }
        case .after(let text): variables += [.init("after", .string(text)), .init("first", .int(2))]
        case .before(let text): variables += [.init("before", .string(text)), .init("last", .int(2))]
        }
        guard let operation = Self.pages[place.parent] else { throw Difference(description: "there is no \(place)") }
        let bound = store.bind(operation.artifact, variables: .object(variables))
        let (page, json) = generator.chance(6) ? (nil, .null) : makeContent()
        var data: JSONValue = ["feed": json]
        if place.parent == "owner" { data = ["owner": ["id": "owner", "feed": json]] }
        let body = JSONValue.object([.init("data", data)]).jsonBytes
        tell?("\(place) \(cursor) \(data.text)")
        let staged = try store.normalize(body, for: bound)
        return Held(generation: generation, staged: staged, bound: bound, page: page, place: place, cursor: cursor)
    }

    private func makeCursor(_ place: Place) -> ModelConnections.Cursor {
        if generator.chance(35) { return .none }
        let isForward = generator.chance(60)
        var text = generator.pick(ConnectionEdit.cursors)
        let known = model[place]?.info[isForward ? "endCursor" : "startCursor"]
        if generator.chance(75), case .string(let cursor)? = known { text = cursor }
        return isForward ? .after(text) : .before(text)
    }

    private func makeContent() -> (ModelConnections.Page, JSONValue) {
        var page = ModelConnections.Page(total: generator.chance(10) ? .null : .int(generator.below(9)))
        var numbers: [String: Int] = [:]
        var list: JSONValue = .null
        if !generator.chance(6) {
            let (edges, json) = makeEdges(&numbers)
            page.edges = edges
            list = .array(json)
        }
        page.nodes = numbers.sorted { $0.key < $1.key }.map { (id: $0.key, number: $0.value) }
        var info: JSONValue = .null
        if !generator.chance(8) {
            var members: [String: JSONValue] = [:]
            for name in ["hasNextPage", "hasPreviousPage"] {
                members[name] = generator.chance(10) ? .null : .bool(generator.chance(50))
            }
            for name in ["endCursor", "startCursor"] {
                members[name] = generator.chance(15) ? .null : .string(generator.pick(ConnectionEdit.cursors))
            }
            page.info = members
            info = .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        }
        return (page, ["total": page.total, "edges": list, "pageInfo": info])
    }

    /// The edges of a response, and the numbers of their nodes.
    private func makeEdges(
        _ numbers: inout [String: Int]
    ) -> ([(node: String?, cursor: String?)?], [JSONValue]) {
        var edges: [(node: String?, cursor: String?)?] = []
        var json: [JSONValue] = []
        for _ in 0..<generator.below(5) {
            guard !generator.chance(7) else {
                edges.append(nil)
                json.append(.null)
                continue
            }
            let node = generator.chance(7) ? nil : generator.pick(ConnectionEdit.nodes)
            let cursor = generator.chance(10) ? nil : generator.pick(ConnectionEdit.cursors)
            edges.append((node, cursor))
            var own: JSONValue = .null
            if let node {
                let number = numbers[node] ?? generator.below(4)
                numbers[node] = number
                own = ["id": .string(node), "i0": .int(number)]
            }
            json.append(["cursor": cursor.map { .string($0) } ?? .null, "node": own])
        }
        return (edges, json)
    }

    /// Publishes a page, sometimes as the response to a query in flight.
    func land(_ held: Held) throws {
        guard held.generation == generation else {
            return try expect(
                !store.publish(held.staged, for: held.bound).isLanded,
                "a page landed that was read before the store was emptied")
        }
        clock += 1
        let requests = inFlight.keys.sorted()
        guard !requests.isEmpty, generator.chance(60) else {
            store.publish(held.staged, for: held.bound)
            for node in held.page?.nodes ?? [] { put(node) }
            model.land(held.page, at: held.place, held.cursor)
            return
        }
        let request = generator.pick(requests)
        let began = inFlight[request] ?? 0
        tell?("as the response of a query that began at \(began)")
        store.publish(held.staged, for: held.bound, request: request)
        for node in held.page?.nodes ?? [] {
            if deletedAt[node.id] ?? 0 > began {
                if !model.exists(node.id) { model.deleted.insert(node.id) }
            } else if writtenAt[node.id] ?? 0 <= began || !model.exists(node.id) {
                put(node)
            }
        }
        if held.cursor == .none, edgesAt[held.place] ?? 0 > began {
            // The page is older than the edges in the store; only its owner is written.
            ownerCame(held.place)
            return
        }
        model.land(held.page, at: held.place, held.cursor)
    }

    private func put(_ node: (id: String, number: Int)) {
        model.nodes[node.id] = node.number
        model.deleted.remove(node.id)
    }

    private func ownerCame(_ place: Place) {
        if place.parent == "owner" { model.ownerIsThere = true }
    }

    /// Publishes the response of a mutation with edges; its updater adds them to connections.
    func reply() throws {
        let bound = store.bind(Self.addition.artifact, variables: .object([]))
        var numbers: [String: Int] = [:]
        let (edges, json) = makeEdges(&numbers)
        let places = Place.all.filter { model[$0] != nil && generator.chance(40) }
        let atStart = generator.chance(50)
        let body = JSONValue.object([.init("data", ["add": .array(json)])]).jsonBytes
        let staged = try store.normalize(body, for: bound)
        clock += 1
        for (id, number) in numbers {
            put((id, number))
            noteWrite(of: id)
        }
        model.written = []
        var expected = 0
        for place in places {
            for edge in edges {
                guard let edge else { continue }
                if model.add(node: edge.node, cursor: edge.cursor, at: place, atStart: atStart) { expected += 1 }
            }
        }
        for place in model.written { edgesAt[place] = clock }
        let ids = places.map { DataID.connection(on: DataID($0.parent), key: "K", filters: $0.filters) }
        try store.publish(staged, for: bound) { source in
            guard let field = source.payload?.field("add") else {
                throw Difference(description: "an updater does not see the response")
            }
            let count =
                try atStart
                ? MutationHandlers.prependEdge(field, to: ids) : MutationHandlers.appendEdge(field, to: ids)
            try expect(count == expected, "\(count) edges were added and not \(expected)")
        }
    }
}
