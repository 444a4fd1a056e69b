// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RandomCases
import StoreModel

@testable import Baton

// The documents, the network and the people of `EverythingAtOnceTests`.
//
// Records form families. A response or update that writes one record of a family writes all of them with the same
// number. A reader that finds two numbers in one family has therefore seen a half-written family. The millions of a
// number are the session in which it was made.

/// The operations of the test, under the names of the families.
enum Everything {
    struct Variables: GeneratedCode.Variables, Hashable {
        var n: Int
        var __fields: GeneratedCode.InputFields { .init("n") { $0.addInt(n) } }
    }

    /// `query Shelf($n: Int!) { shelf(n: $n) { tag items { id tag ...ItemRow } } }`: large and small responses.
    struct ShelfQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Shelf", kind: .query, text: "",
            normalization:
                "(n){shelf(n:$n):+Shelf{id:ID! tag:Int items:[+Item]{id:ID! tag:Int twin:+Twin{id:ID! tag:Int}}}}",
            reader: "(n){shelf(n:$n):+Shelf{tag:Int items:[+Item]{id:ID! tag:Int ~ItemRow}}}")
        var variables: Variables

        struct Data: GeneratedCode.Selections, Tagged {
            let __row: GeneratedCode.Row
            var shelf: Shelf? { __row.optionalObject(0) }
            var tags: [Int] {
                [shelf?.tag].compactMap { $0 } + (shelf?.items?.compactMap { $0?.tag } ?? [])
            }
        }

        struct Shelf: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var tag: Int? { __row.optionalInt(0) }
            var items: ObjectList<Item?>? { __row.optionalObjects(1) }
        }

        struct Item: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var tag: Int? { __row.optionalInt(1) }
            var row: FragmentReference<ItemRow> { __row.fragment(2) }
        }
    }

    /// `fragment ItemRow on Item { tag twin { tag } }`
    struct ItemRow: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "ItemRow", typeCondition: "Item", reader: "{tag:Int twin:+Twin{tag:Int}}")

        struct Data: GeneratedCode.Selections, Tagged {
            let __row: GeneratedCode.Row
            var tag: Int? { __row.optionalInt(0) }
            var twin: Twin? { __row.optionalObject(1) }
            var tags: [Int] { [tag, twin?.tag].compactMap { $0 } }
        }
    }

    struct Twin: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var tag: Int? { __row.optionalInt(0) }
    }

    /// A record and the record that it links to.
    struct PairData: GeneratedCode.Selections, Tagged {
        let __row: GeneratedCode.Row
        var pair: Pair? { __row.optionalObject(0) }
        var tags: [Int] { [pair?.tag, pair?.twin?.tag].compactMap { $0 } }

        struct Pair: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var tag: Int? { __row.optionalInt(0) }
            var twin: Twin? { __row.optionalObject(1) }
        }
    }

    private static func pair(_ field: String, _ name: String, _ kind: OperationKind = .query)
        -> GeneratedCode.OperationArtifact
    {
        GeneratedCode.OperationArtifact(
            name: name, kind: kind, text: "",
            normalization: "(n){\(field)(n:$n):+Pair{id:ID! tag:Int twin:+Pair{id:ID! tag:Int}}}",
            reader: "(n){\(field)(n:$n):+Pair{tag:Int twin:+Pair{tag:Int}}}")
    }

    /// A pair that queries, mutations, events, updates and optimistic changes write.
    struct CounterQuery: GraphQLQuery {
        static let artifact = pair("counter", "Counter")
        typealias Data = PairData
        var variables: Variables
    }

    /// A pair that one task counts up.
    struct ClockQuery: GraphQLQuery {
        static let artifact = pair("clock", "Clock")
        typealias Data = PairData
        var variables: Variables
    }

    /// A pair that is made, deleted and made again.
    struct NoteQuery: GraphQLQuery {
        static let artifact = pair("note", "Note")
        typealias Data = PairData
        var variables: Variables
    }

    struct BumpMutation: GraphQLMutation {
        static let artifact = pair("bump", "Bump", .mutation)
        typealias Data = PairData
        var variables: Variables
    }

    static let moved = pair("moved", "Moved", .subscription)

    /// Returns a response with one pair.
    static func pair(_ field: String, _ n: Int, _ tag: Int) -> String {
        #"{"data":{"\#(field)":{"id":"c\#(n)","tag":\#(tag),"twin":{"id":"p\#(n)","tag":\#(tag)}}}}"#
    }

    static func shelf(_ n: Int, _ tag: Int, items: Int) -> String {
        let items = (0..<items).map {
            #"{"id":"i\#(n)-\#($0)","tag":\#(tag),"twin":{"id":"t\#(n)-\#($0)","tag":\#(tag)}}"#
        }
        return #"{"data":{"shelf":{"id":"s\#(n)","tag":\#(tag),"items":[\#(items.joined(separator: ","))]}}}"#
    }

    /// Writes a pair, and makes its records if needed.
    static func write(_ tag: Int, _ ids: (String, String), _ field: String, _ records: RecordSourceProxy) throws {
        let twin = try records.get(DataID(ids.1)) ?? records.create(DataID(ids.1), type: "Pair")
        let first = try records.get(DataID(ids.0)) ?? records.create(DataID(ids.0), type: "Pair")
        try twin.setValue(.int(tag), forField: "tag")
        try first.setValue(.int(tag), forField: "tag")
        try first.setLinkedRecord(twin, forField: "twin")
        try records.root.setLinkedRecord(first, forField: field, arguments: ["n": 0])
    }
}

/// Data whose numbers must all be equal.
protocol Tagged: Sendable, Equatable {
    var tags: [Int] { get }
}

extension Tagged {
    /// Returns true for data of the same type that is equal.
    func isEqual(to other: any Tagged) -> Bool { other as? Self == self }
}

/// The session, the numbers, and the observed errors.
final class Witness: Sendable {
    private struct State {
        var session = 1
        var floor = 1
        var last = 0
        var complaints: [String] = []
        var counts: [String: Int] = [:]
        var steps = 0
        var isOver = false
        var isCalm = false
    }

    private static let perSession = 1_000_000
    private let state = Guarded(State())

    /// A new number of the current session.
    var tag: Int {
        state.withLock { state in
            state.last += 1
            return state.session * Self.perSession + state.last
        }
    }

    /// The least number that may be shown from now on.
    var floor: Int { state.withLock { $0.floor * Self.perSession } }
    var isOver: Bool { state.withLock { $0.isOver } }
    /// True if the network answers every request from now on.
    var isCalm: Bool { state.withLock { $0.isCalm } }
    /// The number of things that the actors have done.
    var steps: Int { state.withLock { $0.steps } }
    var complaints: [String] { state.withLock { $0.complaints } }
    func count(of what: String) -> Int { state.withLock { $0.counts[what] ?? 0 } }

    func step() { state.withLock { $0.steps += 1 } }
    func end() { state.withLock { $0.isOver = true } }
    func calm() { state.withLock { $0.isCalm = true } }

    /// Begins a session, to which all later requests belong. After `leave` has returned, no older number may be shown.
    func nextSession(_ leave: () -> Void) {
        let session = state.withLock { state in
            state.session += 1
            return state.session
        }
        leave()
        state.withLock { $0.floor = max($0.floor, session) }
    }

    func complain(_ text: String) {
        state.withLock { state in if state.complaints.count < 20 { state.complaints.append(text) } }
    }

    func saw(_ what: String) { state.withLock { $0.counts[what, default: 0] += 1 } }

    /// Checks data that was read after `floor` was the least number.
    func check(_ data: (any Tagged)?, since floor: Int, _ who: String) {
        guard let tags = data?.tags, let first = tags.first else { return }
        saw(who)
        if tags.contains(where: { $0 != first }) { complain("\(who): half of something, \(Set(tags).sorted())") }
        if first < floor { complain("\(who): \(first) of before a reset to \(floor)") }
    }
}

/// A network that answers after a while, with large and small responses, failures and invalid responses.
final class RestlessNetwork: NetworkLayer {
    private let witness: Witness
    private let seed: UInt64
    private let sizes: [Int]

    init(_ witness: Witness, seed: UInt64, sizes: [Int]) {
        self.witness = witness
        self.seed = seed
        self.sizes = sizes
    }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let tag = witness.tag
        var generator = SeededGenerator(seed: seed &+ UInt64(request.id) &* 977)
        for _ in 0..<Int.random(in: 0..<12, using: &generator) { await Task.yield() }
        guard case .int(let n)? = request.variables.first?.value else { throw Unreachable() }
        var body =
            switch request.operationName {
            case "Shelf": Everything.shelf(n, tag, items: sizes[n % sizes.count])
            case "Bump": Everything.pair("bump", n, tag)
            default: Everything.pair("counter", n, tag)
            }
        if !witness.isCalm {
            try Task.checkCancellation()
            switch Int.random(in: 0..<16, using: &generator) {
            case 0: throw Unreachable()
            case 1: body = #"{"data":null,"errors":[{"message":"\#(tag)"}]}"#
            case 2: body = String(body.dropLast(3))
            case 3: body = String(body.dropLast()) + #","errors":[{"message":"\#(tag)"}]}"#
            default: break
            }
        }
        return NetworkResponse(body: Array(body.utf8))
    }
}

/// An actor that observes handles.
actor Onlooker {
    private let witness: Witness
    private var floor = 0
    private var newestTick = 0
    private(set) var results: [String: any Tagged] = [:]
    private(set) var told: [String: Int] = [:]

    init(_ witness: Witness) { self.witness = witness }

    func note<Data: Tagged>(_ result: QueryResult<Data>, _ name: String) {
        told[name, default: 0] += 1
        witness.check(result.data, since: floor, "an observer of \(name)")
        results[name] = result.data
        if name == "clock", let tick = result.data?.tags.first {
            if tick < newestTick { witness.complain("the clock went back from \(newestTick) to \(tick)") }
            newestTick = tick
        }
    }

    /// Logs out on the actor itself. Nothing is delivered to it meanwhile, so nothing old may be delivered to it
    /// afterwards.
    func leave(_ environment: RelayEnvironment) {
        witness.nextSession { environment.reset() }
        floor = witness.floor
    }

    func forget() { results = [:] }
}
