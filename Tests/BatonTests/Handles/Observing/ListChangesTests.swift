// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RandomCases
import Synchronization
import Testing

@testable import Baton

/// What makes one list of another.
@Suite(.timeLimit(.minutes(20))) struct ListChangesTests {
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

    // MARK: - Lists of two reads

    /// An element of a result. It counts how many were made.
    private struct Element: GeneratedCode.Selections, Identifiable {
        @TaskLocal static var made: Counter?
        let __row: GeneratedCode.Row

        init(__row: GeneratedCode.Row) {
            self.__row = __row
            Self.made?.add()
        }

        var id: String { __row.string(0) }
        var item: Item { Item(id: Int(id) ?? -1, text: __row.int(1)) }
    }

    private final class Counter: Sendable {
        private let number = Atomic(0)

        var value: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }

    private static let plan = "{many:[T!]!{id:ID! a:Int other:[T!]!{id:ID! a:Int}}}"

    private static func list(_ snapshot: ReadResult<AnyData>) throws -> ObjectList<Element> {
        try #require(snapshot.data).__row.objects(0)
    }

    /// Changes of a list of 1,500 items, of which parts are read again.
    @Test(arguments: RandomCases.seeds(4)) func theChangesOfTwoReadsAreExact(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! a:Int}}", records: 1_500)
        try world.fill(list: seed % 3 == 0 ? 40 : 1_500)
        var read = world.read()
        for round in 0..<12 {
            try world.store.update { source in
                var list = source.root.linkedRecords(forField: "many") ?? []
                for _ in 0..<Int.random(in: 0...3, using: &random) where !list.isEmpty {
                    let place = Int.random(in: 0..<list.count, using: &random)
                    let length = min(Int.random(in: 1...(round % 2 == 0 ? 3 : 400), using: &random), list.count - place)
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: try list[place]?.setValue(.int(.random(in: 0..<9, using: &random)), forField: "a")
                    case 1: list.insert(list.remove(at: place), at: Int.random(in: 0..<list.count, using: &random))
                    case 2: list.removeSubrange(place..<place + length)
                    case 3: list.insert(contentsOf: list[place..<place + length], at: 0)
                    default:
                        let part = Array(list[place..<place + length])
                        list.removeSubrange(place..<place + length)
                        list.insert(contentsOf: part, at: Int.random(in: 0...list.count, using: &random))
                    }
                }
                try source.root.setLinkedRecords(list, forField: "many")
            }
            let new = world.read(after: read.dependencies)
            let (before, after) = try (Self.list(read), Self.list(new))
            let changes = ListChanges(from: before, to: after)
            let (old, next) = (before.map(\.item), after.map(\.item))
            #expect(Self.apply(changes, to: old, taking: next) == next)
            let plain = ListChanges(from: old, to: next)
            #expect(changes.isEmpty == plain.isEmpty)
            #expect(changes.removed.count == plain.removed.count && changes.inserted.count == plain.inserted.count)
            // The same without parts on one side.
            #expect(ListChanges(from: Array(before), to: after) == plain)
            if Set(old.map(\.id)).count == old.count, Set(next.map(\.id)).count == next.count {
                #expect(changes.moved.count == plain.moved.count && changes.changed == plain.changed)
            }
            read = new
        }
    }

    @Test func whatTwoReadsShareIsNotLookedAt() throws {
        var world = try RandomWorld(seed: 1, plan: Self.plan, records: 5_000)
        try world.fill(list: 5_000)
        let first = world.read()
        func made(_ change: (RecordSourceProxy) throws -> Void, _ count: Int) throws -> Int {
            try world.store.update { try change($0) }
            let (old, new) = try (Self.list(first), Self.list(world.read(after: first.dependencies)))
            let counter = Counter()
            let changes = Element.$made.withValue(counter) { ListChanges(from: old, to: new) }
            #expect(changes.changed.count + changes.inserted.count + changes.moved.count == count)
            return counter.value
        }
        // One item, also where its shelf is looked at from both ends.
        #expect(try made({ try $0.get("T:2500")?.setValue(-1, forField: "a") }, 2) <= 3 * 64 * 2)
        // Items far from each other.
        #expect(
            try made(
                {
                    try $0.get("T:5")?.setValue(-1, forField: "a")
                    try $0.get("T:4990")?.setValue(-1, forField: "a")
                }, 6) <= 12 * 64 * 2)
    }

    /// Two short lists of one object stand on one shelf.
    @Test func twoListsOfOneReadAreNotTheSame() throws {
        var world = try RandomWorld(
            seed: 1, plan: "{many:[T!]!{id:ID! a:Int} other:[T!]!{id:ID! a:Int}}", records: 300)
        try world.fill(list: 20)
        try world.store.update { source in
            let list = (source.root.linkedRecords(forField: "many") ?? []).reversed()
            try source.root.setLinkedRecords(Array(list), forField: "other")
        }
        let row = try #require(world.read().data).__row
        let (own, other): (ObjectList<Element>, ObjectList<Element>) = (row.objects(0), row.objects(1))
        #expect(ListChanges(from: own, to: other) == ListChanges(from: Array(own), to: Array(other)))
        #expect(ListChanges(from: own, to: other).moved.count == 19)
        #expect(ListChanges(from: own, to: own).isEmpty)
    }

    @Test func theNodesOfTwoReadsAreComparedByTheirEdges() throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T]!{node:T{id:ID! a:Int}}}", records: 2_000)
        try world.fill(list: 2_000)
        try world.store.update { source in
            for number in 0..<2_000 where number % 100 != 7 {
                let id = DataID("T:\(number)")
                try source.get(id)?.setLinkedRecord(source.get(id), forField: "node")
            }
        }
        func nodes(_ snapshot: ReadResult<AnyData>) throws -> NodeList<Element> {
            NodeList(try #require(snapshot.data).__row.nodeRows(0, 0))
        }
        let first = world.read()
        try world.store.update { source in
            try source.get("T:900")?.setValue(-1, forField: "a")
            var list = source.root.linkedRecords(forField: "many") ?? []
            list.removeSubrange(100..<103)
            list.removeSubrange(1900..<1903)
            try source.root.setLinkedRecords(list, forField: "many")
        }
        let (old, new) = try (nodes(first), nodes(world.read(after: first.dependencies)))
        let counter = Counter()
        let changes = Element.$made.withValue(counter) { ListChanges(from: old, to: new) }
        #expect(changes == ListChanges(from: Array(old), to: Array(new)))
        #expect(changes.removed.count == 6 && changes.changed.count == 1 && changes.moved.isEmpty)
        #expect(counter.value < 800)
    }
}
