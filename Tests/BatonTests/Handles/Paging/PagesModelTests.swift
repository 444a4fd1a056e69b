import RandomCases
import Testing

@testable import Baton

/// Random interleavings of pages at both ends, refetches, failures, cancellations, publishes and layers against lists
/// in arrays.
@Suite(.timeLimit(.minutes(20))) struct PagesModelTests {
    @Test(arguments: RandomCases.seeds(20)) func pagesAreNeverLostOrDoubled(_ seed: Int) async throws {
        var model = try await PagesModel(seed: UInt64(seed + 1))
        for _ in 0..<40 { try await model.step() }
        try await model.end()
    }
}

/// A handle on the list of a user, and what it must show.
private struct PagesModel {
    /// A load in flight, as the network has it.
    enum Load: Equatable {
        /// The list of a user, from a position on.
        case refetch(String, from: Int)
        case next(Int)
        case previous(Int)
    }

    let stage = Stage(releaseBufferSize: 0, keepsNewerFields: false)
    let service = TodoService(["a": 9, "b": 7, "c": 1])
    let screen = Screen()
    var random: SeededGenerator
    var board: QueryHandle<Todos.BoardQuery>?
    var list: FragmentHandle<Todos.TodoList>?
    /// The user that is shown, and the texts of todos that are not those of the service.
    var user = "a"
    var texts: [String: String] = [:]
    var layers: [(id: String, token: OptimisticLayer)] = []
    /// The loads in flight, in the order of their requests.
    var loads: [Load] = []
    /// The part of each user's list that the store has. The board retains that of user a, and the list that of the user
    /// that is shown. Released operations do not stay, so any other list is collected at once.
    var windows: [String: Range<Int>] = [:]

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        let (board, first) = try await stage.board(service)
        (self.board, list) = (board, first)
        windows["a"] = 0..<2
        // Most scripts begin in the middle of a list.
        let position = Int.random(in: 0...5, using: &random)
        if position > 0 {
            first.refetch(count: 2, cursor: .value(all("b")[position - 1]), id: "b")
            loads = [.refetch("b", from: position)]
            await answer()
        }
        list?.observe(on: screen) { screen, result in
            screen.note(row: (result.data?.todos?.nodes ?? []).map { $0.text ?? "-" }.joined(separator: " "))
        }
        await stage.settle()
    }

    private func all(_ user: String) -> [String] { service.lists[user] ?? [] }
    private var window: Range<Int> { windows[user] ?? 0..<0 }
    private var shownIDs: ArraySlice<String> { all(user)[window] }

    private var shown: [String] {
        shownIDs.map { id in layers.last { $0.id == id }.map { _ in "optimistic" } ?? texts[id] ?? id }
    }

    private var hasNext: Bool { window.upperBound < all(user).count }
    private var hasPrevious: Bool { window.lowerBound > 0 }
    private var loadsNext: Bool { loads.contains { if case .next = $0 { true } else { false } } }
    private var loadsPrevious: Bool { loads.contains { if case .previous = $0 { true } else { false } } }
    private var refetches: Bool { loads.contains { if case .refetch = $0 { true } else { false } } }

    mutating func step() async throws {
        guard let list else { return }
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2:
            let count = Int.random(in: 1...3, using: &random)
            if !refetches, hasNext, !loadsNext { loads.append(.next(count)) }
            list.loadNext(count)
        case 3, 4:
            let count = Int.random(in: 1...3, using: &random)
            if !refetches, hasPrevious, !loadsPrevious { loads.append(.previous(count)) }
            list.loadPrevious(count)
        case 5:
            let id = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let position = Int.random(in: 0..<all(id).count, using: &random)
            list.refetch(count: 2, cursor: position == 0 ? .null : .value(all(id)[position - 1]), id: .value(id))
            loads = [.refetch(id, from: position)]
        case 6, 7, 8, 9: await answer()
        case 10:
            guard !loads.isEmpty else { break }
            await stage.fail()
            loads.removeFirst()
        case 11:
            list.cancel()
            loads = []
        case 12:
            guard let id = shownIDs.first else { break }
            let text = "text \(Int.random(in: 0...99, using: &random))"
            try stage.environment.update { store in try store.get(DataID(id))?.setValue(.string(text), forField: "text")
            }
            texts[id] = text
        default:
            if layers.isEmpty, let id = shownIDs.last {
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

    /// Answers the oldest request in flight.
    private mutating func answer() async {
        guard !loads.isEmpty else { return }
        await stage.answer(service)
        let brought: Range<Int>
        switch loads.removeFirst() {
        case .refetch(let id, let position):
            user = id
            for other in ["b", "c"] where other != id { forget(other) }
            brought = position..<min(position + 2, all(id).count)
            // A page that does not begin at the end of the list in the store has no place there.
            if position == 0 || windows[id] == nil {
                windows[id] = brought
            } else if let window = windows[id], position == window.upperBound {
                windows[id] = window.lowerBound..<brought.upperBound
            } else if let window = windows[id], brought.upperBound == window.upperBound {
                // A page that ends where the list ends is placed by the rows that both have.
                windows[id] = min(position, window.lowerBound)..<window.upperBound
            }
        case .next(let count):
            brought = window.upperBound..<min(window.upperBound + count, all(user).count)
            windows[user] = window.lowerBound..<brought.upperBound
        case .previous(let count):
            brought = max(window.lowerBound - count, 0)..<window.lowerBound
            windows[user] = brought.lowerBound..<window.upperBound
        }
        // An answer brings the texts of the service back.
        for id in all(user)[brought] { texts[id] = nil }
    }

    /// Notes that the list of a user that is shown no longer is collected.
    private mutating func forget(_ user: String) {
        windows[user] = nil
        for todo in all(user) { texts[todo] = nil }
    }

    private func isStored(_ user: String) -> Bool {
        let store = stage.environment.store
        return store.names.record(DataID(user), adding: false).map { store.records.state(of: $0) } == .existing
    }

    private func check() async {
        let data = list?.get().data
        #expect(data?.todos?.nodes.map { $0.text ?? "-" } == shown)
        #expect(data?.name == "User \(user)")
        #expect(list?.hasNext == hasNext && list?.hasPrevious == hasPrevious)
        #expect(list?.isLoadingNext == loadsNext && list?.isLoadingPrevious == loadsPrevious)
        #expect(list?.isFetching == refetches)
        #expect(stage.network.waiting == loads.count)
        for user in ["a", "b", "c"] { #expect(isStored(user) == (windows[user] != nil), "the record of user \(user)") }
        #expect(await screen.rows.last == shown.joined(separator: " "), "the last state that was delivered")
    }

    mutating func end() async throws {
        list = nil
        for layer in layers { layer.token.revert() }
        board = nil
        await stage.settle()
        #expect(stage.network.waiting == 0, "nothing is in flight after the last handle")
        stage.environment.collectGarbage()
        #expect(stage.environment.store.records.rowCount <= 1, "nothing is retained")
    }
}
