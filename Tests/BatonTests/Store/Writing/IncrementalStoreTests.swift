// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RandomCases
import Testing

@testable import Baton

/// Answers in parts, in the store.
@Suite struct IncrementalStoreTests {
    /// Lands payloads as the environment does.
    struct PayloadLander {
        let store = Store()
        var delivery: IncrementalDelivery
        let operation: BoundOperation

        init?() {
            operation = store.bind(Parts.PartsQuery())
            guard let delivery = IncrementalDelivery(operation) else { return nil }
            self.delivery = delivery
        }

        @discardableResult
        mutating func land(_ json: String) throws(RelayError.InvalidResponse) -> PublishSummary {
            let payload = try store.normalize(Array(json.utf8), into: &delivery)
            return store.publish(payload.response, for: operation)
        }
    }

    private func whole(_ answer: JSONValue) throws -> String {
        let store = Store()
        try store.write(JSONValue.object([.init("data", answer)]).text, for: store.bind(Parts.PartsQuery()))
        return store.dump()
    }

    enum Form: CaseIterable { case flat, announced }

    /// The parts of a response give the same store as the whole response, in any order and grouping.
    @Test(arguments: Form.allCases) func partsMakeTheWhole(_ form: Form) throws {
        for seed in RandomCases.seeds(130) {
            var random = RandomParts(seed: UInt64(seed))
            var lander = try #require(PayloadLander())
            let payloads = form == .flat ? random.flatPayloads() : random.announcedPayloads()
            for payload in payloads { try lander.land(payload.text) }
            try lander.delivery.finish()
            #expect(try lander.store.dump() == whole(random.whole), "seed \(seed)")
            let json = ResponseJSON.value(
                of: lander.delivery.bodies, streams: lander.operation.plans.write.streamLabels)
            let other = Store()
            try other.write((json ?? .null).text, for: other.bind(Parts.PartsQuery()))
            #expect(other.dump() == lander.store.dump(), "the JSON is that of the whole response, seed \(seed)")
            #expect(lander.store.check(lander.operation) == .available(fetchedAt: nil))
        }
    }

    /// A payload that is cut off or changed in one byte either lands whole, or leaves the store and the delivery as
    /// they were.
    @Test(arguments: Form.allCases) func aDamagedPayloadChangesNothing(_ form: Form) throws {
        var generator = SeededGenerator(seed: 5)
        for seed in RandomCases.seeds(40) {
            var random = RandomParts(seed: UInt64(seed))
            let payloads = form == .flat ? random.flatPayloads() : random.announcedPayloads()
            var lander = try #require(PayloadLander())
            for payload in payloads {
                let bytes = Array(payload.text.utf8)
                var changed = bytes
                changed[Int.random(in: 0..<bytes.count, using: &generator)] =
                    Array(#"{}[]",:0nx\"#.utf8).randomElement(using: &generator) ?? 0
                for damaged in [Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))), changed] {
                    let before = lander.store.dump()
                    var copy = lander
                    do {
                        _ = try copy.store.normalize(damaged, into: &copy.delivery)
                    } catch {
                        #expect(copy.delivery.bodies.count == lander.delivery.bodies.count)
                    }
                    #expect(lander.store.dump() == before)
                }
                try lander.land(payload.text)
            }
            #expect(try lander.store.dump() == whole(random.whole), "seed \(seed)")
        }
    }

    @Test(arguments: [
        (
            #"{"label":"Q$defer$Unknown","path":["user"],"data":{"email":"x"}}"#,
            "no part with the label 'Q$defer$Unknown'"
        ),
        (#"{"label":"Q$defer$Slow","path":"user","data":{"email":"x"}}"#, "the 'path' of a part is not a list"),
        (#"{"label":"Q$defer$Slow","path":[1.5],"data":{"email":"x"}}"#, "holds more than keys and positions"),
        (#"{"label":"Q$defer$Slow","path":[-1],"data":{"email":"x"}}"#, "holds more than keys and positions"),
        (#"{"label":3,"path":["user"],"data":{"email":"x"}}"#, "the 'label' of a part is not a string"),
        (#"{"label":"Q$defer$Slow","path":["user"],"data":[]}"#, "'data' of a part is neither an object nor null"),
        (#"{"label":"Q$stream$tags","path":["tags",1],"items":{}}"#, "'items' of a part is neither a list nor null"),
        (#"{"label":"Q$defer$Slow","path":["user"],"items":[]}"#, "a fragment got items"),
        (#"{"incremental":{"label":"Q$defer$Slow"}}"#, "the parts of a response are not a list"),
        (#"{"incremental":[1]}"#, "a later part of the response is not an object"),
        (#"{"pending":[{"path":["user"],"label":"Q$defer$Slow"}]}"#, "an announced part has no 'id'"),
        (#"{"incremental":[{"id":[],"data":{}}]}"#, "the 'id' of a part is not a string"),
        (#"{"label":"Q$defer$Slow","path":["user"],"data":{"email":3}}"#, "expected String, found a number"),
        (#"{"label":"Q$stream$tags","path":["tags",1],"items":["x"]}"#, "expected [Int], found a string"),
        (#"{"label":"Q$defer$Row","path":["user","friends",0],"data":{"email":"x"}"#, "the response is not JSON"),
        (#"[]"#, "the response is not a GraphQL response"),
        // The payload lands whole or not at all: its first element is valid.
        (
            #"{"incremental":[{"label":"Q$defer$Slow","path":["user"],"data":{"email":"x"}},{"label":"Q$stream$tags","path":["tags",1],"items":[{}]}]}"#,
            "expected [Int], found an object"
        ),
    ])
    func aMalformedPartIsATypedError(_ payload: String, _ expected: String) throws {
        var lander = try #require(PayloadLander())
        try lander.land(Parts.first)
        let before = lander.store.dump()
        var refused = lander
        #expect {
            try refused.land(payload)
        } throws: { error in
            "\(error)".contains(expected)
        }
        #expect(lander.store.dump() == before)
        // A copy of the delivery lands the next payload as if the invalid one had not come.
        try lander.land(Parts.slow)
        #expect(lander.store.dump().contains("1.email = \"a@x\""))
    }

    @Test func aPartThatBelongsToNothingIsAnErrorAtTheEnd() throws {
        for stray in [
            #"{"label":"Q$defer$Slow","path":["nobody"],"data":{"email":"x"}}"#,
            #"{"label":"Q$stream$tags","path":["tags",7],"items":[1]}"#,
            #"{"incremental":[{"id":"77","data":{"email":"x"}}]}"#,
            #"{"label":"Q$defer$Row","path":["user","friends",3],"data":{"email":"x"}}"#,
        ] {
            var lander = try #require(PayloadLander())
            try lander.land(Parts.first)
            let before = lander.store.dump()
            try lander.land(stray)
            #expect(lander.store.dump() == before)
            #expect(throws: RelayError.InvalidResponse.self) { try lander.delivery.finish() }
        }
    }

    @Test func partsWithoutABeginningAreNotKeptForEver() throws {
        var lander = try #require(PayloadLander())
        #expect(throws: RelayError.InvalidResponse.self) {
            for _ in 0..<2000 { try lander.land(Parts.slow) }
        }
    }

    /// A part is written to the record that the response named, even if the link leads to another record by now.
    @Test func aPartFindsItsOwnRecord() throws {
        var lander = try #require(PayloadLander())
        try lander.land(Parts.first)
        try lander.store.update { proxy in
            let other = try proxy.create("other", type: "User")
            try proxy.root.setLinkedRecord(other, forField: "user")
        }
        try lander.land(Parts.slow)
        #expect(lander.store.dump().contains("1.email = \"a@x\""))
        #expect(!lander.store.dump().contains("other.email"))
        try lander.store.update { proxy in try proxy.delete("2") }
        try lander.land(#"{"label":"Q$defer$Row","path":["user","friends",0],"data":{"email":"late"}}"#)
        #expect(!lander.store.dump().contains("late"), "what was deleted does not come back")
    }

    @Test func itemsKeepWhatAnUpdateDidToTheList() throws {
        var lander = try #require(PayloadLander())
        try lander.land(Parts.first)
        try lander.store.update { proxy in
            let user = proxy.get("1")
            let mine = try proxy.create("mine", type: "User")
            try user?.setLinkedRecords([mine] + (user?.linkedRecords(forField: "friends") ?? []), forField: "friends")
        }
        try lander.land(
            #"{"label":"Q$stream$friends","path":["user","friends",1],"items":[{"id":"3","name":"Cy"},{"id":"2","name":"Bob"}]}"#
        )
        let user = lander.store.read(Parts.PartsQuery()).data?.user
        #expect(user?.friends?.map { $0?.name } == [nil, "Bob", "Cy"])
    }

    /// A part that comes twice changes nothing the second time and notifies no subscriber.
    @Test func aPartTwiceChangesNothing() throws {
        var lander = try #require(PayloadLander())
        try lander.land(Parts.first)
        #expect(try lander.land(Parts.slow).recordsChanged == 2)
        #expect(try lander.land(Parts.slow).recordsChanged == 0)
        for _ in 0..<20 { try lander.land(Parts.slow) }
    }

    @Test func errorsOfAPartAreAtItsFields() throws {
        var lander = try #require(PayloadLander())
        try lander.land(Parts.first)
        for path in [#"["user","email"]"#, #"["email"]"#] {
            try lander.land(
                #"{"label":"Q$defer$Slow","path":["user"],"data":{"email":null,"best":null},"errors":[{"message":"m","path":\#(path)}]}"#
            )
            let key = lander.store.names.key("email")
            let record = try #require(lander.store.record("1"))
            #expect(lander.store.records.fieldErrors[record, key]?.map(\.message) == ["m"])
        }
        #expect(lander.delivery.errors.count == 2)
        let reference = try #require(lander.store.read(Parts.PartsQuery()).data?.user?.slow)
        let fragment = try #require(lander.store.bind(reference))
        let data = lander.store.read(Parts.Slow.Data.self, at: fragment.record, fragment.selections).data
        #expect(data?.email.errors.count == 1)
        try lander.land(Parts.slow)
        #expect(lander.store.records.fieldErrors.isEmpty)
    }

    /// If a deferred fragment fails as a whole, its fields are missing and have the errors.
    @Test func aPartThatFailedSaysWhy() throws {
        var lander = try #require(PayloadLander())
        try lander.land(
            #"{"data":{"user":{"id":"1","name":"Ann","friends":[]},"tags":[],"profile":null},"pending":[{"id":"0","path":["user"],"label":"Q$defer$Slow"}],"hasNext":true}"#
        )
        try lander.land(
            #"{"completed":[{"id":"0","errors":[{"message":"broken","path":["user","email"]}]}],"hasNext":false}"#)
        let record = try #require(lander.store.record("1"))
        #expect(lander.store.records.fieldErrors[record, lander.store.names.key("email")]?.count == 1)
        #expect(lander.store.missingPath(lander.operation) == ["user", "email"])
    }

    /// Items that a layer added are not the server's: they stay on top while the list below grows, and go with the
    /// layer.
    @Test func itemsGrowUnderALayer() throws {
        var lander = try #require(PayloadLander())
        try lander.land(Parts.first)
        let layer = lander.store.apply { proxy in
            let user = proxy.get("1")
            let mine = try proxy.create("mine", type: "User")
            try mine.setValue("Me", forField: "name")
            try user?.setLinkedRecords((user?.linkedRecords(forField: "friends") ?? []) + [mine], forField: "friends")
        }
        func names() -> [String?]? { lander.store.read(Parts.PartsQuery()).data?.user?.friends?.map { $0?.name } }
        #expect(names() == ["Bob", "Me"])
        try lander.land(
            #"{"label":"Q$stream$friends","path":["user","friends",1],"items":[{"id":"3","name":"Cy"}]}"#)
        #expect(names() == ["Bob", "Cy", "Me"])
        lander.store.drop(layer)
        #expect(names() == ["Bob", "Cy"])
    }

    static let connection = GeneratedCode.OperationArtifact(
        name: "Q", kind: .query, text: "",
        normalization:
            "{films(first:2):Films@connection(\"L_films\"){edges:[Edge]@stream(\"S\",1){cursor:String node:+Film{id:ID! title:String}} "
            + "<>@defer(\"P\"){pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}}",
        reader: "{films(first:2):Films@connection(\"L_films\"){edges:[Edge]{node:+Film{title:String}}}}")

    struct ConnectionData: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var films: Films? { __row.optionalObject(0) }

        struct Films: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var edges: ObjectList<Edge?>? { __row.optionalObjects(0) }
        }

        struct Edge: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var node: Film? { __row.optionalObject(0) }
            var title: String? { node?.title }
        }

        struct Film: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var title: String? { __row.optionalString(0) }
        }
    }

    /// Edges that arrive later are also added to the connection that the client keeps.
    @Test func aStreamedConnectionGrows() throws {
        let store = Store()
        let operation = store.bind(Self.connection, variables: .object([]))
        var delivery = try #require(IncrementalDelivery(operation))
        func land(_ json: String) throws {
            store.publish(try store.normalize(Array(json.utf8), into: &delivery).response, for: operation)
        }
        func titles() -> [String?]? {
            store.read(ConnectionData.self, at: operation.root, operation.reader).data?.films?.edges?.map { $0?.title }
        }
        try land(#"{"data":{"films":{"edges":[{"cursor":"a","node":{"id":"1","title":"A"}}]}},"hasNext":true}"#)
        #expect(titles() == ["A"])
        try land(
            #"{"label":"S","path":["films","edges",1],"items":[{"cursor":"b","node":{"id":"2","title":"B"}}],"hasNext":true}"#
        )
        #expect(titles() == ["A", "B"])
        try land(
            #"{"label":"P","path":["films"],"data":{"pageInfo":{"endCursor":"b","hasNextPage":true}},"hasNext":false}"#)
        try delivery.finish()
        #expect(titles() == ["A", "B"])
        #expect(store.dump().split(separator: "endCursor = \"b\"").count == 3, "the server's and the client's")
        #expect(store.check(operation) == .available(fetchedAt: nil))
    }

    /// The discriminator of a deferred fragment arrives with the fragment. Its absence in the first payload proves
    /// nothing about the type.
    @Test func aDeferredFragmentOfAnInterfaceSaysWhatTheTypeIs() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "",
            normalization:
                "{hero:+*Character{id:ID! <*Pilot>@defer(\"P\"){ship:String <*Ace>{kills:Int}} <Human>@defer(\"H\"){<*Ace>{kills:Int}}}}",
            reader: "{hero:+*Character{~PilotShip<*Pilot>@defer(\"P\")}}")
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        var delivery = try #require(IncrementalDelivery(operation))
        func land(_ json: String) throws {
            store.publish(try store.normalize(Array(json.utf8), into: &delivery).response, for: operation)
        }
        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var hero: Hero? { __row.optionalObject(0) }

            struct Hero: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var ship: FragmentReference<PilotShip>? { __row.optionalFragment(0) }
            }
        }
        func snapshot() -> ReadResult<Data> { store.read(Data.self, at: operation.root, operation.reader) }
        try land(#"{"data":{"hero":{"__typename":"Human","id":"1"}},"hasNext":true}"#)
        #expect(store.records.facts.isEmpty)
        #expect(!snapshot().isMissingData && snapshot().data?.hero?.ship == nil)
        #expect(store.check(operation, isArriving: true) == .available(fetchedAt: nil))
        let subscriber = CountingSubscriber()
        _ = store.subscribe(subscriber, to: snapshot().dependencies)
        try land(
            #"{"label":"P","path":["hero"],"data":{"__isPilot":"Human","ship":"X-Wing","__isAce":"Human","kills":3}}"#)
        #expect(store.dump().contains("Human is Pilot") && store.dump().contains("Human is Ace"))
        #expect(store.dump().contains("1.kills = 3"))
        #expect(subscriber.count == 1 && snapshot().data?.hero?.ship != nil)
    }
}
