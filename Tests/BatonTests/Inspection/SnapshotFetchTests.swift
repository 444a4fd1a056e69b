import RandomCases
import StoreModel
import Testing

@testable import Baton

/// The fetch times in a snapshot, for a store whose clock began at another time.
@Suite struct SnapshotFetchTests {
    private static func artifact(_ name: String, _ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(name: name, kind: .query, text: "", normalization: plan, reader: plan)
    }

    private static let film = artifact(
        "Film",
        "@maxAge(40){film:+Film{id:ID! title:String! rating:Int@maxAge(20) director:+Person{id:ID! name:String}}}")
    private static let rating = artifact("Rating", "{film:+Film{id:ID! rating:Int}}")
    private static let person = artifact("Person", "{me:+Person{id:ID! name:String@maxAge(10)}}")
    private static let all = [film, rating, person]
    private static let bodies = [
        #"{"film":{"id":"1","title":"Hope","rating":5,"director":{"id":"p","name":"Irvin"}}}"#,
        #"{"film":{"id":"1","rating":6}}"#, #"{"me":{"id":"p","name":"Irvin"}}"#,
    ]

    private static func answer(
        _ store: Store, _ number: Int, at second: Int, body: String? = nil, key: FetchKeys? = nil
    ) throws {
        let operation = store.bind(all[number], variables: .object([]))
        let mark = FetchMark(time: .seconds(second), began: store.epoch)
        let text = #"{"data":\#(body ?? bodies[number])}"#
        store.publish(try store.normalize(Array(text.utf8), for: operation, fetch: mark), for: operation)
        store.noteFetch(of: operation, key: key, at: mark.time, began: mark.began)
    }

    private static func checks(_ store: Store, at time: Duration) -> [Coverage] {
        all.map { artifact in
            let operation = store.bind(artifact, variables: .object([]))
            guard case .available(let fetchedAt?) = store.check(operation, at: time) else {
                return store.check(operation, at: time)
            }
            // The age of the data.
            return .available(fetchedAt: time - fetchedAt)
        }
    }

    @Test func agesGoOnWhereTheyWere() throws {
        let store = Store()
        try Self.answer(store, 0, at: 1000)
        try Self.answer(store, 1, at: 1010)
        try Self.answer(store, 2, at: 1015)
        let bytes = store.snapshot(at: .seconds(1018))
        for elapsed in [0, 4] {
            let client = Store()
            try client.restore(bytes, at: .seconds(3), elapsed: .seconds(elapsed))
            for second in 0..<30 {
                let before = Self.checks(store, at: .seconds(1018 + elapsed + second))
                #expect(Self.checks(client, at: .seconds(3 + second)) == before, "\(second) s after \(elapsed) s")
            }
            #expect(client.snapshot(at: .seconds(3 - elapsed)) == bytes)
        }
    }

    @Test(arguments: RandomCases.seeds(14)) func whatIsRestoredIsJudgedLikeWhatWasThere(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 31)
        let store = Store()
        let body = #"{"film":{"id":"1","title":"A","rating":1,"director":{"id":"p","name":"B"}}}"#
        var now = 100
        for step in 0..<24 {
            now += Int.random(in: 0..<8, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<4: try Self.answer(store, Int.random(in: 0..<3, using: &generator), at: now)
            case 4: try Self.answer(store, 0, at: now, body: body)
            case 5:
                store.invalidate(DataID(["1", "p"].randomElement(using: &generator) ?? "1"))
            case 6:
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: store.invalidate()
                case 1: store.invalidate(store.bind(Self.rating, variables: .object([])))
                default: store.invalidate(type: ["Film", "Person"].randomElement(using: &generator) ?? "Film")
                }
            default: try store.update { try $0.get("1")?.setValue(.int(step), forField: "own") }
            }
        }
        let bytes = store.snapshot(at: .seconds(now))
        let client = Store()
        // A restore replaces all data, whatever its age.
        if seed % 2 == 0 { try Self.answer(client, 0, at: 1) }
        try client.restore(bytes, at: .seconds(7))
        #expect(client.snapshot(at: .seconds(7)) == bytes)
        for second in [0, 5, 15, 30, 50] {
            #expect(Self.checks(client, at: .seconds(7 + second)) == Self.checks(store, at: .seconds(now + second)))
        }
        #expect(client.checkInvariants() == [])
    }

    /// The same content with the same fetch times gives the same bytes, whatever the order of the responses.
    @Test func theOrderInWhichThingsCameIsNotInTheBytes() throws {
        let person = #"{"me":{"id":"q","name":"Lawrence"}}"#
        let (left, right) = (Store(), Store())
        try Self.answer(left, 1, at: 10)
        try Self.answer(left, 2, at: 20, body: person)
        left.invalidate("q")
        left.invalidate(type: "Person")
        try left.update { _ = try $0.create("x", type: "Note") }
        try Self.answer(left, 1, at: 30)

        try right.update { _ = try $0.create("x", type: "Note") }
        try Self.answer(right, 2, at: 20, body: person)
        try Self.answer(right, 1, at: 10)
        right.invalidate(type: "Person")
        right.invalidate("q")
        try Self.answer(right, 1, at: 30)
        #expect(left.snapshot(at: .seconds(40)) == right.snapshot(at: .seconds(40)))
    }

    @Test func fetchKeysComeBackThatMeanTheSameElsewhere() async throws {
        struct Private: Hashable, Sendable {}
        let server = Stage()
        let environment = server.environment
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1", fetchKey: "page")
        let other = QueryHandle<Films.FilmQuery>(in: environment)
        _ = other.get(id: "1", fetchKey: Private())
        await server.answer(Films.film("1", "Star Wars"))
        let client = Stage()
        try client.environment.restore(from: environment.snapshot())
        let restored = QueryHandle<Films.FilmQuery>(in: client.environment)
        #expect(restored.get(id: "1", fetchKey: "page").data?.film?.title == "Star Wars")
        await client.settle()
        #expect(client.network.sent.isEmpty)
        let unknown = QueryHandle<Films.FilmQuery>(in: client.environment)
        #expect(unknown.get(id: "1", fetchKey: Private()).isLoading)
        await client.settle()
        #expect(client.network.sent.count == 1)
    }

    @Test func theLimitOfAFieldHoldsInTheClient() async throws {
        let (serverClock, clientClock) = (HandClock(), HandClock())
        serverClock.advance(by: .seconds(5000))
        let server = Stage(clock: serverClock)
        try await server.seed(Films.FilmQuery(id: "1"), Films.film("1", "Star Wars"))
        serverClock.advance(by: .seconds(30))
        let bytes = server.environment.snapshot()
        for (elapsed, later, requests) in [(0, 30, 0), (0, 31, 1), (10, 20, 0), (10, 21, 1), (-5, 30, 0)] {
            let client = Stage(clock: clientClock)
            try client.environment.restore(from: bytes, elapsed: .seconds(elapsed))
            clientClock.advance(by: .seconds(later))
            let handle = QueryHandle<Films.FilmQuery>(in: client.environment, fetchPolicy: .storeOrNetwork)
            _ = handle.get(id: "1")
            await client.settle()
            #expect(client.network.sent.count == requests, "\(elapsed) and \(later) seconds")
        }
    }

    @Test func whateverAStoreHoldsSurvives() throws {
        let store = Store()
        try store.land(
            .init(
                edges: [.init("a", cursor: "1"), .init("b", cursor: "2")], total: 2,
                info: .init(end: "2", hasNext: true)),
            .init(first: 2, kind: "open"))
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.write(
            #"{"data":{"user":{"id":"7","name":null}},"errors":[{"message":"secret","path":["user","name"],"extensions":{"code":5},"type":"X"}]}"#,
            for: store.bind(
                Self.artifact("User", "{user:+User{id:ID! name:String draft:String@client}}"), variables: .object([])))
        try store.update { records in
            try records.get("7")?.setValue("mine", forField: "draft")
            try records.delete("1000")
        }
        let layer = store.apply({ try $0.get("7")?.setValue("expected", forField: "draft") })
        let bytes = store.snapshot()
        store.drop(layer)
        let other = Store()
        try other.restore(bytes)
        #expect(other.dump() == store.dump())
        #expect(other.todos(kind: "open").data?.todos?.nodes == ["a", "b"])
        #expect(other.explain("7", "draft").value == "mine")
        let errors = other.records.fieldErrors.records.values.flatMap(\.values).flatMap { $0 }
        #expect(errors.map(\.message) == ["secret"])
        #expect(errors.first?.extensions?["code"] == 5 && errors.first?.otherMembers == ["type": "X"])
        #expect(other.read(HeroQuery()).data?.hero?.born == Day(year: 1977, month: 5))
        // A page is added to the restored connection.
        try other.land(
            .init(edges: [.init("c", cursor: "3")], total: 3, info: .init(end: "3")),
            .init(first: 1, after: "2", kind: "open"))
        #expect(other.todos(kind: "open").data?.todos?.nodes == ["a", "b", "c"])
        #expect(other.checkInvariants() == [])
    }

    // MARK: - Damage

    /// Damaged snapshots: wrong numbers, repeated or missing parts, and changed bytes.
    @Test(arguments: RandomCases.seeds(3)) func hostileBytesAreRefusedOrMakeASoundStore(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 900)
        let store = try #require(Script(seed: UInt64(seed) + 40, count: 60).store())
        for number in 0..<3 { try Self.answer(store, number, at: number) }
        store.invalidate("1")
        try Self.answer(store, 1, at: 9)
        let bytes = store.snapshot(at: .seconds(20))
        let numbers = bytes.indices.filter { (48...57).contains(bytes[$0]) && !(48...57).contains(bytes[$0 - 1]) }
        let hostile = [
            "-1", "-2", "0", "1", "7", "4294967295", "4294967296", "9223372036854775807", "1e400", "-0", "null", "[]",
            "{}", "\"\"",
        ]
        let target = Store()
        try Self.answer(target, 0, at: 0)
        let before = target.dump()
        var restored = 0
        for round in 0..<150 {
            var damaged = bytes
            switch round % 4 {
            case 0:
                let start = numbers.randomElement(using: &generator) ?? 0
                let end = damaged[start...].firstIndex { !(48...57).contains($0) } ?? start
                damaged.replaceSubrange(start..<end, with: Array((hostile.randomElement(using: &generator) ?? "").utf8))
            case 1:
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                let end = Int.random(in: start..<bytes.count, using: &generator)
                damaged.replaceSubrange(start..<end, with: bytes[Int.random(in: 0...start, using: &generator)..<start])
            case 2: damaged = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
            default:
                for _ in 0..<3 {
                    damaged[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                        1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            do {
                try target.restore(damaged, at: .seconds(50))
                restored += 1
                #expect(target.checkInvariants() == [], "\(String(decoding: damaged, as: UTF8.self))")
                _ = (target.dump(), target.inspection.description, Self.checks(target, at: .seconds(60)))
                let again = Store()
                try again.restore(target.snapshot(at: .seconds(50)), at: .seconds(50))
                target.collector.collectGarbage()
                #expect(target.checkInvariants() == [])
                target.reset()
                try Self.answer(target, 0, at: 0)
            } catch is SnapshotError { #expect(target.dump() == before) }
        }
        #expect(restored > 0, "some damage is harmless, and has to be looked at")
    }

    @Test func placesThatLieTooDeepAndMomentsThatCannotBeAreRefused() throws {
        let store = Store()
        func refusal(_ ids: String, records: String = "", fetches: String = "", errors: String = "") -> String? {
            let text = """
                {"errors":[\(errors)],"facts":[],"fetches":[\(fetches)],"fields":["a"],"format":3,\
                "forms":[["T",0],["T"]],"ids":[\(ids)],"invalidated":{"records":[],"store":null,"types":[]},\
                "operations":[],"patterns":[[-1,-1]],"records":[\(records)]}
                """
            do {
                try store.restore(Array(text.utf8))
                return nil
            } catch { return error.description }
        }
        let chain = (0..<100_000).map { "[\($0),0,null]" }.joined(separator: ",")
        #expect(refusal(#""x",\#(chain)"#)?.contains("lies too deep") == true)
        #expect(refusal(#""x","y","x""#)?.contains("identity 2 is there twice") == true)
        #expect(refusal(#""x",[0,0,4294967295]"#)?.contains("no list index") == true)
        #expect(refusal("", fetches: "[0,2147483000]")?.contains("later than there are moments") == true)
        #expect(refusal(#""x""#, records: "[0,0,0,1]")?.contains("not as many fetches as fields") == true)
        #expect(refusal(#""x""#, records: "[0,0,3,1]")?.contains("3 is the position of no fetch") == true)
        #expect(refusal(#""x""#, errors: #"[0,"a",[["m",null]]]"#)?.contains("an error is that of no record") == true)
        #expect(store.dump().isEmpty)
        // The two spellings of one letter are two identities.
        #expect(refusal(#""caf\#u{e9}","cafe\#u{301}""#, records: "[0,1,-1],[1,1,-1]") == nil)
        #expect(store.checkInvariants() == [])
    }

    @Test func aSnapshotIsRefusedWhileAnOptimisticChangeIsShown() throws {
        let stage = Stage()
        let bytes = stage.environment.snapshot()
        let update = stage.environment.applyUpdate { _ = try $0.create("1", type: "Film") }
        let error = #expect(throws: SnapshotError.changesInFlight) { try stage.environment.restore(from: bytes) }
        #expect(error?.description == "optimistic changes are in flight; restore when they have ended")
        update.revert()
        try stage.environment.restore(from: bytes)
    }
}
