import Testing

@testable import Baton

/// Random interleavings of pages, refetches, failures, cancellations, publishes and layers against lists in arrays.
@Suite(.timeLimit(.minutes(10))) struct PagesModelTests {
    @Test(arguments: 0..<60) func pagesAreNeverLostOrDoubled(_ seed: Int) async throws {
        var model = try await PagesModel(seed: UInt64(seed + 1))
        for _ in 0..<40 { try await model.step() }
        try await model.end()
    }
}

/// A handle on the list of a user, and what it must show.
private struct PagesModel {
    let stage = Stage(releaseBufferSize: 0, keepsNewerFields: false)
    let service = TodoService(["a": 9, "b": 7, "c": 1])
    let screen = Screen()
    var random: SeededGenerator
    var boards: [QueryHandle<Todos.BoardQuery>] = []
    var list: PaginationHandle<Todos.TodoList>?
    /// The user that is shown, and the todos of the user that the store has.
    var user = "a"
    var texts: [String: String] = [:]
    var layers: [(id: String, token: OptimisticUpdate)] = []
    /// The loads in flight, as the network has them.
    var refetch: String?
    var loadsNext = false
    /// The number of todos that a user's list has in the store.
    var counts: [String: Int] = [:]

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        for id in ["a", "b", "c"] {
            let (board, first) = try await stage.board(service, id)
            boards.append(board)
            counts[id] = min(2, service.lists[id]?.count ?? 0)
            if id == "a" { list = first }
        }
        list?.observe(on: screen) { screen, result in
            screen.note(row: (result.data?.todos?.nodes ?? []).map { $0.text ?? "-" }.joined(separator: " "))
        }
        await stage.settle()
    }

    private var shown: [String] {
        (service.lists[user] ?? []).prefix(counts[user] ?? 0).map { id in
            layers.last { $0.id == id }.map { _ in "optimistic" } ?? texts[id] ?? id
        }
    }

    private var hasNext: Bool { (counts[user] ?? 0) < (service.lists[user]?.count ?? 0) }

    mutating func step() async throws {
        guard let list else { return }
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2:
            let count = Int.random(in: 1...3, using: &random)
            let isExpected = refetch == nil && hasNext
            list.loadNext(count)
            if isExpected { loadsNext = true }
        case 3:
            let id = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            list.refetch(count: 2, id: id)
            (refetch, loadsNext) = (id, false)
        case 4, 5, 6, 7: await answer()
        case 8:
            guard stage.network.waiting > 0 else { break }
            await stage.fail()
            (refetch, loadsNext) = (nil, false)
        case 9:
            list.cancel()
            (refetch, loadsNext) = (nil, false)
        case 10:
            let id = service.lists[user]?.first ?? "a1"
            let text = "text \(Int.random(in: 0...99, using: &random))"
            try stage.environment.update { store in try store.get(DataID(id))?.setValue(.string(text), forField: "text")
            }
            if (counts[user] ?? 0) > 0 { texts[id] = text }
        default:
            if layers.isEmpty, let id = service.lists[user]?.prefix(counts[user] ?? 0).last {
                let token = stage.environment.applyUpdate { store in
                    try store.get(DataID(id))?.setValue("optimistic", forField: "text")
                }
                layers.append((id, token))
            } else if let last = layers.popLast() {
                last.token.revert()
            }
        }
        await stage.settle()
        if Int.random(in: 0..<6, using: &random) == 0 { stage.environment.collectGarbage() }
        await check()
    }

    /// Answers the request in flight: there is at most one, because a refetch ends the pages.
    private mutating func answer() async {
        guard stage.network.waiting > 0 else { return }
        #expect(stage.network.waiting == 1)
        let request = stage.network.sent.last
        await stage.answer(service)
        // An answer brings the texts of the service back.
        func restore(_ ids: some Sequence<String>) { for id in ids { texts[id] = nil } }
        if let id = refetch {
            user = id
            counts[id] = min(2, service.lists[id]?.count ?? 0)
            restore((service.lists[id] ?? []).prefix(2))
        } else if loadsNext, case .int(let count)? = request?.variables.first(where: { $0.name == "count" })?.value {
            let all = service.lists[user] ?? []
            let before = counts[user] ?? 0
            counts[user] = min(before + count, all.count)
            restore(all[before..<(counts[user] ?? 0)])
        }
        (refetch, loadsNext) = (nil, false)
    }

    private func check() async {
        let data = list?.get().data
        #expect(data?.todos?.nodes.map { $0.text ?? "-" } == shown)
        #expect(data?.name == "User \(user)")
        #expect(list?.hasNext == hasNext)
        #expect(list?.isLoadingNext == loadsNext && list?.isRefetching == (refetch != nil))
        #expect(stage.network.waiting == (loadsNext || refetch != nil ? 1 : 0))
        #expect(await screen.rows.last == shown.joined(separator: " "), "the last state that was delivered")
    }

    mutating func end() async throws {
        list = nil
        for layer in layers { layer.token.revert() }
        boards = []
        await stage.settle()
        #expect(stage.network.waiting == 0, "nothing is in flight after the last handle")
        stage.environment.collectGarbage()
        #expect(stage.environment.store.records.rowCount <= 1, "nothing is retained")
    }
}
