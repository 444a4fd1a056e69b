// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import RandomCases
import StoreModel
import Synchronization
import Testing

@testable import Baton

/// A result says the same as long as somebody holds it, whatever happens to the store.
@Suite(.timeLimit(.minutes(20))) struct HeldResultsTests {
    private static let plan = """
        {people:[+Person!]{id:ID! name:String! age:Int tags:[String!] best:+Person{id:ID! name:String!} \
        friends:[+Person!]{id:ID! name:String!}} first:+Person{id:ID! name:String age:Int}}
        """

    /// The selections of `plan`.
    private struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var people: ObjectList<Person>? { __row.optionalObjects(0) }
        var first: First? { __row.optionalObject(1) }

        struct Person: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
            var name: String { __row.string(1) }
            var age: Int? { __row.optionalInt(2) }
            var tags: [String]? { __row.optionalList(3) { $0.string() } }
            var best: Friend? { __row.optionalObject(4) }
            var friends: ObjectList<Friend>? { __row.optionalObjects(5) }

            var text: String {
                let friends = friends.map { $0.map(\.text).joined(separator: ",") } ?? "-"
                return "\(id) \(name) \(age ?? -1) \(tags ?? []) \(best?.text ?? "-") [\(friends)]"
            }
        }

        struct Friend: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
            var name: String { __row.string(1) }
            var text: String { "\(id)=\(name)" }
        }

        struct First: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
            var name: String? { __row.optionalString(1) }
            var age: Int? { __row.optionalInt(2) }
            var text: String { "\(id) \(name ?? "-") \(age ?? -1)" }
        }
    }

    /// A held result, or a part of one, with what it said at first.
    private enum Held: Sendable {
        case all(ObjectList<Data.Person>?, String)
        case person(Data.Person, String)
        case first(Data.First, String)

        init?(_ data: Data?, _ random: inout SeededGenerator) {
            guard let data else { return nil }
            switch Int.random(in: 0..<40, using: &random) {
            case 0: self = .all(data.people, Self.text(data.people))
            case 1..<10:
                guard let first = data.first else { return nil }
                self = .first(first, first.text)
            default:
                guard let people = data.people, !people.isEmpty else { return nil }
                let person = people[Int.random(in: 0..<people.count, using: &random)]
                self = .person(person, person.text)
            }
        }

        private static func text(_ people: ObjectList<Data.Person>?) -> String {
            people.map { $0.map(\.text).joined(separator: "\n") } ?? "-"
        }

        var saysTheSame: Bool {
            switch self {
            case .all(let people, let text): Self.text(people) == text
            case .person(let person, let text): person.text == text
            case .first(let first, let text): first.text == text
            }
        }
    }

    private final class World: Sendable {
        let environment = RelayEnvironment(network: SilentNetwork())
        let operation: BoundOperation
        let isOver = Atomic(false)

        init() throws {
            let artifact = GeneratedCode.OperationArtifact(
                name: "Q", kind: .query, text: "", normalization: HeldResultsTests.plan,
                reader: HeldResultsTests.plan)
            operation = environment.store.bind(artifact, variables: .object([]))
            environment.store.operations.retain(operation)
            var random = SeededGenerator(seed: 1)
            try write(&random)
        }

        func write(_ random: inout SeededGenerator) throws {
            func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            func friend() -> String { #"{"id":"\#(number(200))","name":"n\#(number(9))"}"# }
            let first = number(60)
            let people = (first..<first + 60 + number(100)).map { id -> String in
                let friends = (0..<number(4)).map { _ in friend() }.joined(separator: ",")
                return """
                    {"id":"\(id)","name":"a name of more than fifteen bytes \(number(5))","age":\(number(5)),\
                    "tags":["t\(number(3))","another"],"best":\(number(3) == 0 ? "null" : friend()),"friends":[\(friends)]}
                    """
            }
            try environment.store.write(
                #"{"data":{"people":[\#(people.joined(separator: ","))],"first":\#(people[0])}}"#, for: operation)
        }

        func change(_ random: inout SeededGenerator) throws {
            let id = DataID("\(Int.random(in: 0..<200, using: &random))")
            let value = JSONValue.string("a changed name of many bytes \(Int.random(in: 0..<9, using: &random))")
            switch Int.random(in: 0..<60, using: &random) {
            case 0: try write(&random)
            case 1: environment.store.collector.begin(.release)
            case 2: _ = environment.store.collector.collectGarbage()
            case 3: try environment.update { try $0.delete(id) }
            case 4: environment.store.collector.beginPacking()
            case 5..<10: environment.applyUpdate { try $0.get(id)?.setValue(value, forField: "name") }.revert()
            case 10:
                environment.reset(refetching: true)
                try write(&random)
            default: try environment.update { try $0.get(id)?.setValue(value, forField: "name") }
            }
        }

        func read(after last: Dependencies?) -> ReadResult<Data> {
            environment.store.read(Data.self, at: operation.root, operation.reader, after: last)
        }
    }

    private struct SilentNetwork: NetworkLayer {
        func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw CancellationError() }
    }

    /// The number of reads. A million take two minutes: `HELD_RESULTS=1000000 swift test --filter HeldResults`.
    private static var reads: Int {
        #if BATON_TSAN
            1_000
        #else
            ProcessInfo.processInfo.environment["HELD_RESULTS"].flatMap { Int($0) } ?? 20_000
        #endif
    }

    /// Reads a number of times, holds some results, and lets them go after a look at them.
    private static func read(_ reads: Int, _ world: World, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var held: [Held] = []
        var last: Dependencies?
        for _ in 0..<reads {
            let snapshot = world.read(after: last)
            last = snapshot.dependencies
            if let one = Held(snapshot.data, &random) { held.append(one) }
            if held.count > 300 || Bool.random(using: &random), !held.isEmpty {
                let one = held.swapAt(Int.random(in: held.indices, using: &random))
                if !one.saysTheSame { Issue.record("a held result has changed") }
            }
        }
        #expect(!held.contains { !$0.saysTheSame })
        world.isOver.store(true, ordering: .relaxed)
    }

    /// Runs `body` on a thread of its own, so that other tests keep those of the pool.
    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    @Test func everyHeldResultSaysWhatItSaid() async throws {
        let world = try World()
        let readers = 2
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<readers {
                group.addTask { await Self.onThread { Self.read(Self.reads / readers, world, UInt64(number) + 5) } }
            }
            group.addTask {
                await Self.onThread {
                    var random = SeededGenerator(seed: 77)
                    while !world.isOver.load(ordering: .relaxed) {
                        do { try world.change(&random) } catch { Issue.record(error) }
                    }
                }
            }
        }
        #expect(world.environment.store.checkInvariants() == [])
    }

    @Test func aResultOutlivesItsEnvironment() throws {
        var random = SeededGenerator(seed: 3)
        var held: [Held] = []
        do {
            let world = try World()
            for _ in 0..<200 {
                if let one = Held(world.read(after: nil).data, &random) { held.append(one) }
                try world.change(&random)
            }
        }
        #expect(held.count > 100)
        #expect(!held.contains { !$0.saysTheSame })
    }

    @Test func aResultDoesNotKeepTheStoreOfItsEnvironment() throws {
        weak var store: Store?
        var (held, text): (Data?, String) = (nil, "")
        do {
            let world = try World()
            held = world.read(after: nil).data
            text = held.map { "\($0.__row)" } ?? ""
            store = world.environment.store
            #expect(world.environment.store.names.memoryUse > 4_000)
        }
        let data = try #require(held)
        #expect(store == nil)
        #expect("\(data.__row)" == text && text.contains("a name of more than"))
        #expect(data.__typename == "__Root" && data.first?.__typename == "Person" && data == data)
        #expect(JSONValue(data)["first"]?["id"] == .string(try #require(data.first?.id)))
        // The texts of all identities go with the store.
        #expect(data.__row.shelf.plan.names.memoryUse < 4_000)
    }

    @Test func aReferenceDoesNotKeepItsEnvironment() async throws {
        weak var store: Store?
        var held: [FragmentReference<Films.FilmRow>] = []
        do {
            let stage = Stage()
            try await stage.seed(Films.ListQuery(), Films.list(2))
            let data = stage.environment.read(Films.ListQuery()).data
            held = [data, data].compactMap { $0?.films[0]?.row }
            store = stage.environment.store
        }
        // The task of the request may hold it for a moment.
        while store != nil { await Task.yield() }
        #expect(held.count == 2 && held[0] == held[1] && held[0].dataID == "")
        #expect(FragmentHandle(held[0]).get() == .failure(.foreignReference(fragment: "FilmRow")))
        let other = Stage().environment
        #expect(other.read(held[0]) == nil)
        #expect(other.result(of: held[0]) == .failure(.foreignReference(fragment: "FilmRow")))
        try other.update { #expect($0.get(held[0]) == nil) }
    }

    /// Records that were made of a payload belong to what shows them.
    @Test func aReferenceOfAPayloadKeepsItsRecords() throws {
        func reference() throws -> FragmentReference<Films.FilmRow> {
            let data = try Films.ListQuery.Data(.response(json: Films.list(1)), for: Films.ListQuery())
            return try #require(data.films[0]?.row)
        }
        let held = try reference()
        #expect(FragmentHandle(held).get().data?.title == "Film 1" && held.dataID == "1")
    }
}

extension Array {
    /// Removes an element, whose place the last one takes.
    fileprivate mutating func swapAt(_ index: Int) -> Element {
        swapAt(index, count - 1)
        return removeLast()
    }
}
