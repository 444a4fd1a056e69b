import Testing

@testable import Baton

/// What makes one list of another.
@Suite(.timeLimit(.minutes(10))) struct ListChangesTests {
    struct Item: Equatable, Identifiable {
        let id: Int
        let text: Int
    }

    /// Does to a list what the changes say, in their order.
    static func apply(_ changes: ListChanges, to old: [Item], taking new: [Item]) -> [Item] {
        var result = [Item?](repeating: nil, count: new.count)
        for position in changes.inserted { result[position] = new[position] }
        for move in changes.moved { result[move.to] = old[move.from] }
        let gone = Set(changes.removed + changes.moved.map(\.from))
        var rest = old.indices.filter { !gone.contains($0) }.map { old[$0] }[...]
        for position in result.indices where result[position] == nil { result[position] = rest.popFirst() }
        #expect(rest.isEmpty)
        for position in changes.changed {
            #expect(result[position]?.id == new[position].id && result[position] != new[position])
            result[position] = new[position]
        }
        return result.compactMap(\.self)
    }

    /// The greatest number of elements that keep their order, found by trying all.
    static func mostThatStay(_ from: [Int]) -> Int {
        var best = Array(repeating: 1, count: from.count)
        for end in from.indices {
            for start in 0..<end where from[start] < from[end] { best[end] = max(best[end], best[start] + 1) }
        }
        return best.max() ?? 0
    }

    @Test("The changes of any two lists are exact.")
    func theChangesOfAnyTwoListsAreExact() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<4000 {
            let ids = Int.random(in: 1...9, using: &random)
            func list() -> [Item] {
                (0..<Int.random(in: 0...9, using: &random)).map { _ in
                    Item(id: .random(in: 0..<ids, using: &random), text: .random(in: 0...1, using: &random))
                }
            }
            let (old, new) = (list(), Bool.random(using: &random) ? list() : list().shuffled(using: &random))
            let changes = ListChanges(from: old, to: new)
            #expect(Self.apply(changes, to: old, taking: new) == new)
            #expect(changes.isEmpty == (old == new))
            #expect(changes.removed == changes.removed.sorted() && changes.inserted == changes.inserted.sorted())
            // What both lists have is neither removed nor inserted.
            for id in 0..<ids {
                let (before, after) = (old.count { $0.id == id }, new.count { $0.id == id })
                #expect(changes.removed.count { old[$0].id == id } == max(before - after, 0))
                #expect(changes.inserted.count { new[$0].id == id } == max(after - before, 0))
            }
        }
    }

    @Test("As few elements as possible move.")
    func asFewAsPossibleMove() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            let old = (0..<9).map { Item(id: $0, text: 0) }
            let new = old.shuffled(using: &random)
            #expect(ListChanges(from: old, to: new).moved.count == 9 - Self.mostThatStay(new.map(\.id)))
        }
        let list = (0..<5).map { Item(id: $0, text: 0) }
        let last = ListChanges(from: list, to: [list[4]] + list.prefix(4))
        #expect(last.moved == [.init(from: 4, to: 0)] && last.changed.isEmpty)
    }

    @Test("Elements that are nil count as elements.")
    func elementsThatAreNilCount() {
        let changes = ListChanges(from: [Item(id: 1, text: 0), nil], to: [nil, Item(id: 1, text: 1), nil])
        #expect(changes.inserted == [0] && changes.moved.isEmpty && changes.changed == [1])
    }
}
