import Foundation
import RandomCases
import StoreModel
import Testing

@testable import Baton

@Suite struct SnapshotTests {
    private static func filled() throws -> Store {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.update { records in
            try records.delete("1000")
            try records.root.setValue(.double(-0.0), forField: "zero")
            try records.root.setValue(.double(2), forField: "two")
            try records.root.setValue([[1, nil], []], forField: "lists")
        }
        return store
    }

    @Test func whatIsRestoredIsWhatWasThere() throws {
        let store = try Self.filled()
        let bytes = store.snapshot()
        let other = Store()
        try other.restore(bytes)
        #expect(other.dump() == store.dump())
        #expect(other.snapshot() == bytes)
        #expect(other.checkInvariants() == [])
        let hero = try #require(other.read(HeroQuery()).data?.hero)
        #expect(hero.friends?.map { $0?.name } == [nil, nil, "R2-D2"])
        #expect(other.json(of: other.bind(HeroQuery())) == store.json(of: store.bind(HeroQuery())))
        #expect(hero.born == Day(year: 1977, month: 5), "converted when it is read")
        // A response finds its records again, also those without an identity of their own.
        let again = try other.write(HeroQuery.answer, for: other.bind(HeroQuery()))
        let first = try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        #expect(again.recordsChanged == first.recordsChanged)
        #expect(other.dump() == store.dump())
    }

    @Test(arguments: RandomCases.seeds(4, from: 1 as UInt64)) func randomStoresComeBackWhole(_ seed: UInt64) throws {
        let store = try #require(Script(seed: seed, count: 60).store())
        let bytes = store.snapshot()
        #expect(store.snapshot() == bytes)
        // Restores into an empty store, and over other data.
        for target in [Store(), try #require(Script(seed: seed + 100, count: 60).store())] {
            try target.restore(bytes)
            #expect(String(decoding: target.snapshot(), as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
            #expect(target.checkInvariants() == [])
            let kept = store.dump().split(separator: "\n").filter { !$0.contains("client:root:") }
            #expect(target.dump().split(separator: "\n").filter { !$0.contains("client:root:") } == kept)
        }
        // A snapshot restored over its own data changes nothing.
        let whole = Store()
        try whole.restore(bytes)
        #expect(try whole.restore(bytes).recordsChanged == 0)
    }

    @Test func damagedBytesLeaveTheStoreAsItWas() throws {
        let store = try Self.filled()
        let bytes = store.snapshot()
        let target = try Self.filled()
        try target.update { try $0.root.setValue(1, forField: "own") }
        let before = target.dump()
        var generator = SeededGenerator(seed: 5)
        for round in 0..<RandomCases.count(200) {
            var damaged = bytes
            if round % 3 == 0 {
                damaged = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
            } else {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                damaged[index] = round % 3 == 1 ? UInt8.random(in: 32...126, using: &generator) : 0x2D
            }
            do {
                try target.restore(damaged)
                #expect(target.checkInvariants() == [], "\(String(decoding: damaged, as: UTF8.self))")
                try target.restore(bytes)
                try target.update { try $0.root.setValue(1, forField: "own") }
            } catch { #expect(target.dump() == before) }
        }
    }

    @Test(arguments: [
        ("[]", "it has no format number"), ("{}", "it has no format number"),
        (#"{"format":3}"#, "'ids' is no list"), (#"{"a":1,"a":2}"#, "'a' is there twice"),
    ])
    func whatIsNoSnapshotIsRefused(_ text: String, _ reason: String) throws {
        let store = try Self.filled()
        let before = store.dump()
        let error = #expect(throws: SnapshotError.self) { try store.restore(Array(text.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(store.dump() == before)
    }

    @Test func anotherFormatAndDeepNestingAreRefused() throws {
        let store = Store()
        for format in [1, 2, 4] {
            #expect(throws: SnapshotError.unknownFormat(format)) {
                try store.restore(Array("{\"format\":\(format)}".utf8))
            }
        }
        let start = """
            {"errors":[],"facts":[],"fetches":[],"fields":["a"],"format":3,"forms":[["T",0]],"ids":["x"],"patterns":[],\
            "records":[[0,0,-1,
            """
        let deep = start + String(repeating: "[", count: 100_000)
        let error = #expect(throws: SnapshotError.self) { try store.restore(Array(deep.utf8)) }
        guard case .notJSON? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func readersHearOfWhatIsDifferentAndOfNothingElse() throws {
        let store = try Self.filled()
        let bytes = store.snapshot()
        let artifact = GeneratedCode.OperationArtifact(
            name: "Zero", kind: .query, text: "", normalization: "{zero:Float}", reader: "{zero:Float}")
        let zero = store.bind(artifact, variables: .object([]))
        let (same, other) = (CountingSubscriber(), CountingSubscriber())
        let hero = store.bind(HeroQuery())
        _ = store.subscribe(same, to: store.read(HeroQuery.Data.self, at: hero.root, hero.reader).dependencies)
        let snapshot = store.read(AnyData.self, at: zero.root, zero.reader)
        _ = store.subscribe(other, to: snapshot.dependencies)
        try store.update { try $0.root.setValue(7, forField: "zero") }
        #expect(other.count == 1)
        let summary = try store.restore(bytes)
        #expect(summary.recordsChanged == 1)
        #expect(same.count == 0)
        #expect(other.count == 2)
    }

    @Test func fetchesAndInvalidationsComeBack() throws {
        let store = try Self.filled()
        let hero = store.bind(HeroQuery())
        let fresh = store.bind(HeroQuery(withMass: .value(false)))
        store.noteFetch(of: hero, key: nil, at: .seconds(10))
        try store.update { try $0.get("2001")?.invalidate() }
        store.noteFetch(of: fresh, key: nil, at: .seconds(40))
        let other = Store()
        try other.restore(store.snapshot(at: .seconds(50)), at: .seconds(5))
        #expect(other.operations.fetch(of: other.bind(HeroQuery()))?.time == .seconds(-35))
        #expect(other.check(other.bind(HeroQuery())) == store.check(hero))
        #expect(store.check(hero) == .stale)
        let again = other.operations.fetch(of: other.bind(HeroQuery(withMass: .value(false))))
        #expect(again?.time == .seconds(-5))
    }

    @Test func callRootsAreLeftOutAndNotMixedUp() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Like", kind: .mutation, text: "",
            normalization: "{like:Payload{film:+Film{id:ID! likes:Int}} n:Int}",
            reader: "{}")
        let store = Store()
        let answer = #"{"data":{"like":{"film":{"id":"1","likes":4}},"n":1}}"#
        let operation = store.bind(artifact, variables: .object([]))
        try store.write(answer, for: operation)
        let other = Store()
        try other.restore(store.snapshot())
        #expect(other.dump() == "1 is Film\n1.id = \"1\"\n1.likes = 4")
        // A response that something links to stays, and no later call gets its record.
        try store.publish(
            try store.normalize(Array(answer.utf8), for: store.bind(artifact, variables: .object([]))), for: operation
        ) {
            try $0.root.setLinkedRecord($0.rootField("like"), forField: "last")
        }
        try other.restore(store.snapshot())
        #expect(other.dump().contains("client:root.last = \"-> client:root:mutation:2:like\""))
        let next = other.bind(artifact, variables: .object([]))
        let afterwards = other.bind(artifact, variables: .object([]))
        #expect(other.dataID(of: next.root) != "client:root:mutation:2")
        #expect(other.dataID(of: afterwards.root) != "client:root:mutation:2")
    }

    @Test func optimisticChangesAreNotInItAndKeepOthersOut() throws {
        let store = try Self.filled()
        let bytes = store.snapshot()
        let layer = store.apply({ try $0.get("2001")?.setValue(99, forField: "mass") })
        #expect(store.snapshot() == bytes)
        #expect(throws: SnapshotError.changesInFlight) { try store.restore(bytes) }
        store.drop(layer)
        try store.restore(bytes)
        #expect(store.snapshot() == bytes)
    }

    @Test func aClientStartsFromWhatTheServerSends() async throws {
        let server = Stage()
        try await server.seed(Films.FilmQuery(id: "1"), Films.film("1", "Star Wars"))
        let client = Stage()
        try client.environment.restore(from: server.environment.snapshot())
        let handle = QueryHandle<Films.FilmQuery>(in: client.environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(id: "1").data?.film?.title == "Star Wars")
        await client.settle()
        #expect(client.network.sent.isEmpty)
        #expect(client.log.publishes.first?.source == .restore)
    }

    @Test func whateverAnUpdateWritesCanBeRestored() throws {
        let store = try Self.filled()
        func nested(_ depth: Int) -> JSONValue { (0..<depth).reduce(.int(1)) { value, _ in .array([value]) } }
        for depth in 240...260 {
            do {
                try store.update { try $0.root.setValue(nested(depth), forField: "deep") }
            } catch UpdateError.tooDeep {
                #expect(depth > 250)
                continue
            }
            try Store().restore(store.snapshot())
        }
    }

    @Test func theAgeOfAFetchDoesNotTurnOver() {
        #expect(Duration.seconds(Int64.max / 2).milliseconds == .max)
        #expect(Duration.milliseconds(Int64.max).milliseconds == .max)
        #expect((Duration.milliseconds(Int64.max) + .milliseconds(1)).milliseconds == .max)
        #expect(Duration.seconds(2).milliseconds == 2_000)
    }
}
