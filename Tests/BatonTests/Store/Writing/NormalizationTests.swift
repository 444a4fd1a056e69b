import Testing

@testable import Baton

/// The records of single responses, case by case; `NormalizerModelTests` has the combinations.
@Suite struct NormalizationTests {
    private func bound(_ plan: String, _ store: Store, _ variables: JSONValue = .object([])) -> BoundOperation {
        store.bind(NormalizerModelTests.artifact(plan), variables: variables)
    }

    private func lines(_ store: Store) -> Set<String> { Set(store.dump().split(separator: "\n").map(String.init)) }

    @Test func aliasesWithTheSameArgumentsShareAValueAndOthersDoNot() throws {
        let store = Store()
        try store.write(
            #"{"data":{"hero":{"id":"1","a":"x","b":"x","c":"y","name":"z"}}}"#,
            for: bound(
                "{hero:+Hero{id:ID! a=name(n:1):String b=name(n:1):String c=name(n:2):String name:String}}", store))
        #expect(
            lines(store) == [
                "client:root is __Root", "client:root.hero = \"-> 1\"", "1 is Hero", "1.id = \"1\"",
                "1.name(n:1) = \"x\"", "1.name(n:2) = \"y\"", "1.name = \"z\"",
            ])
        // If two fields with the same storage key contradict each other, the last one counts, whatever the store held.
        let operation = bound("{hero:+Hero{id:ID! a=name(n:1):String b=name(n:1):String}}", store)
        for _ in 0..<2 {
            try store.write(#"{"data":{"hero":{"id":"1","a":"old","b":"new"}}}"#, for: operation)
            #expect(lines(store).contains("1.name(n:1) = \"new\""))
        }
    }

    /// The link of the first place has the identity of its place, because the ID is not selected there. Servers send
    /// the places in the order of the plan, but any order is legal.
    @Test(arguments: [false, true]) func theLastPlaceInTheResponseCountsWhateverThePlanSaysAndTheStoreHeld(
        _ isPlaceFirst: Bool
    ) throws {
        let store = Store()
        let operation = bound("{byID:+A{id:ID! link:+A{id:ID!}} byPlace:+A{id:ID! link:+A{n:Int}}}", store)
        let byID = #""byID":{"id":"1","link":{"id":"2"}}"#
        let byPlace = #""byPlace":{"id":"1","link":{"n":7}}"#
        let (first, last) = isPlaceFirst ? (byPlace, byID) : (byID, byPlace)
        let expected = isPlaceFirst ? "1.link = \"-> 2\"" : "1.link = \"-> client:1:link\""
        // In the store, the link is absent, then that of the last place, then that of the first.
        try store.write("{\"data\":{\(first),\(last)}}", for: operation)
        #expect(lines(store).contains(expected))
        try store.write("{\"data\":{\(first),\(last)}}", for: operation)
        #expect(lines(store).contains(expected))
        try store.write("{\"data\":{\(last),\(first)}}", for: operation)
        #expect(!lines(store).contains(expected))
        try store.write("{\"data\":{\(first),\(last)}}", for: operation)
        #expect(lines(store).contains(expected))
    }

    /// For a server they are different: one is null, the other the argument's default.
    @Test func anExplicitNullIsAnotherArgumentThanNone() throws {
        let store = Store()
        let plan = "(n){f(n:$n):Int}"
        try store.write(#"{"data":{"f":1}}"#, for: bound(plan, store, .object([])))
        try store.write(#"{"data":{"f":2}}"#, for: bound(plan, store, .object([.init("n", .null)])))
        #expect(lines(store).isSuperset(of: ["client:root.f = 1", "client:root.f(n:null) = 2"]))
    }

    @Test func recordsMayLinkToThemselves() throws {
        let store = Store()
        let all = #"[{"id":"1"},null,{"id":"2"},{"id":"1"}]"#
        let body = "{\"data\":{\"a\":{\"id\":\"1\",\"self\":{\"id\":\"1\",\"self\":{\"id\":\"1\"}},\"all\":\(all)}}}"
        let operation = bound("{a:+A{id:ID! self:+A{id:ID! self:+A{id:ID!}} all:[+A]{id:ID!}}}", store)
        try store.write(body, for: operation)
        #expect(
            lines(store).isSuperset(of: ["1.self = \"-> 1\"", "1.all = [\"-> 1\",null,\"-> 2\",\"-> 1\"]", "2 is A"]))
        #expect(try store.write(body, for: operation).recordsChanged == 0)
    }

    @Test func idsMayBeNumbersOfAnySizeAndTextOfAnyLength() throws {
        let ids = [
            "1", "-5", "18446744073709551616", "123456789012345678901234567890", "\"\"", "\"sixteen-bytes-id\"",
            "\"seventeen-bytes-i\"", "\"gr\u{fc}n and rather longer than sixteen bytes\"",
            "\"with \\\"quotes\\\" in it\"", "\"\\u0061\"",
        ]
        let store = Store()
        let operation = bound("{all:[+A!]{id:ID! n:Int} links:[+A]{id:ID!}}", store)
        func body(_ number: Int) -> String {
            let all = ids.map { "{\"id\":\($0),\"n\":\(number)}" }.joined(separator: ",")
            let links = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
            return "{\"data\":{\"all\":[\(all)],\"links\":[\(links)]}}"
        }
        #expect(try store.write(body(1), for: operation).recordsChanged == ids.count + 1)
        #expect(try store.write(body(1), for: operation).recordsChanged == 0)
        #expect(try store.write(body(2), for: operation).recordsChanged == ids.count)
        #expect(
            lines(store).isSuperset(
                of: ["18446744073709551616.n = 2", "a.n = 2", ".n = 2", "with \"quotes\" in it.n = 2"]))
        #expect(store.dump().split(separator: "\n").count { $0.hasSuffix(" is A") } == ids.count)
    }

    /// Two types under one data ID are one record, with the type that came last.
    @Test func aChosenDataIDMayMeetAnotherType() throws {
        let store = Store { _, fields in
            guard case .string(let key)? = fields["key"] else { return nil }
            return DataID(key)
        }
        let operation = bound("{a:A{id:ID! key:String} b:B{key:String n:Int} c:A{id:ID! key:String}}", store)
        try store.write(#"{"data":{"a":{"id":"1","key":"k"},"b":null,"c":{"id":"2","key":null}}}"#, for: operation)
        #expect(lines(store).isSuperset(of: ["k is A", "A:2 is A"]))
        let summary = try store.write(#"{"data":{"a":null,"b":{"key":"k","n":1},"c":null}}"#, for: operation)
        #expect(summary.typeChanges.count == 1)
        #expect(lines(store).isSuperset(of: ["k is B", "k.n = 1"]))
        #expect(!lines(store).contains("k.id = \"1\""))
    }

    /// A response that contradicts itself about a type has the same result in every store.
    @Test func aTypeThatChangesWithinAnAnswerDoesNotDependOnTheStore() throws {
        let plan = "{first:+*I{id:ID! name:String} second:+*I{id:ID! title:String}}"
        let second = #"{"__typename":"B","id":"1","title":"y"}"#
        let answer = "{\"data\":{\"first\":{\"__typename\":\"A\",\"id\":\"1\",\"name\":\"x\"},\"second\":\(second)}}"
        let fresh = Store()
        try fresh.write(answer, for: bound(plan, fresh))
        for first in [#"{"__typename":"A","id":"1","name":"x"}"#, #"{"__typename":"A","id":"1","name":"z"}"#] {
            let store = Store()
            try store.write("{\"data\":{\"first\":\(first),\"second\":null}}", for: bound(plan, store))
            let early = try store.normalize(Array(answer.utf8), for: bound(plan, store))
            try store.update { try $0.get("1")?.setValue("between", forField: "name") }
            store.publish(early, for: bound(plan, store))
            #expect(store.dump() == fresh.dump())
            try store.write("{\"data\":{\"first\":\(first),\"second\":null}}", for: bound(plan, store))
            try store.write(answer, for: bound(plan, store))
            #expect(store.dump() == fresh.dump())
        }
    }

    /// Each contradiction is reported once, whether or not the store knows the record.
    @Test func twoTypesForOneIDWithinAnAnswerAreTold() throws {
        let plan = "{first:+*I{id:ID! name:String} second:+*I{id:ID! title:String} third:[+*I]{id:ID!}}"
        let (a, b) = (#"{"__typename":"A","id":"1","name":"x"}"#, #"{"__typename":"B","id":"1","title":"y"}"#)
        let link = #"{"__typename":"A","id":"1"}"#
        func answer(_ first: String, _ second: String, _ third: String) -> String {
            "{\"data\":{\"first\":\(first),\"second\":\(second),\"third\":\(third)}}"
        }
        func types(_ store: Store, _ body: String) throws -> [String] {
            try store.write(body, for: bound(plan, store)).typeChanges.map {
                "\(store.names.name(of: $0.old))\(store.names.name(of: $0.new))"
            }
        }
        let store = Store()
        #expect(try types(store, answer(a, "null", "[\(link)]")) == [])
        #expect(try types(store, answer(a, b, "null")) == ["AB"])
        #expect(try types(store, answer(a, b, "null")) == ["AB"])
        #expect(try types(Store(), answer(a, b, "null")) == ["AB"])
        #expect(try types(Store(), answer(b, "null", "[\(link),\(link)]")) == ["BA"])
        #expect(try types(Store(), answer(a, b, "[\(link),\(link)]")) == ["AB", "BA"])
        #expect(try types(Store(), answer(link, link, "[\(link)]")) == [])
    }

    /// Links are confirmed by number alone unless an update has given a record an `id` that differs from its data ID.
    @Test func aLinkPutsRightAnIDThatAnUpdateSet() throws {
        let store = Store()
        let operation = bound("{all:[+A]{id:ID! n:Int} links:[+A]{id:ID!}}", store)
        let links = #"{"data":{"links":[{"id":"1"},{"id":"2"}]}}"#
        let all = #"{"data":{"all":[{"id":"1","n":1},{"id":"2","n":2}],"links":[{"id":"1"},{"id":"2"}]}}"#
        try store.write(all, for: operation)
        #expect(try store.write(links, for: operation).recordsChanged == 0)
        try store.update { try $0.get("2")?.setValue("other", forField: "id") }
        #expect(try store.write(links, for: operation).recordsChanged == 1)
        #expect(lines(store).contains("2.id = \"2\""))
    }

    @Test func listsOfLinksAreReadWhateverBecomesOfThem() throws {
        let store = Store()
        let operation = bound("{links:[+A]{id:ID!}}", store)
        func links(_ ids: [String?]) -> String {
            "{\"data\":{\"links\":[\(ids.map { $0.map { "{\"id\":\"\($0)\"}" } ?? "null" }.joined(separator: ","))]}}"
        }
        // Longer and shorter lists, other ends and beginnings, nulls, and more than the 64 links that are looked up
        // together.
        let many: [String?] = (0..<200).map { "id-\($0)" }
        let lists: [[String?]] = [
            many, many, many + ["x"], Array(many.dropLast(100)), [], ["a"], ["a"] + many, many,
            many.map { $0 == "id-64" ? nil : $0 }, many.map { $0 == "id-63" ? "y" : $0 }, many.reversed(), [nil],
            [nil, "a", nil],
        ]
        for list in lists + lists.reversed() {
            try store.write(links(list), for: operation)
            let expected = JSONValue.array(list.map { $0.map { .string("-> \($0)") } ?? .null }).text
            #expect(lines(store).contains("client:root.links = \(expected)"))
            #expect(try store.write(links(list), for: operation).recordsChanged == 0)
        }
        for broken in [#"[{"id":"a"}{"id":"b"}]"#, #"[{"id":"a"},]"#, #"[{"id":"a"},"#, #"[{"id":"a""#] {
            #expect(throws: RelayError.InvalidResponse.self) {
                try store.write("{\"data\":{\"links\":\(broken)}}", for: operation)
            }
        }
    }

    /// A small form of the benchmark `reingest.vs-foundation`: one changed field among many gives one notification.
    @Test func oneChangedFieldIsOneNotification() throws {
        let plan = "{all:[+A!]!{id:ID! name:String company:+C{id:ID! city:String} friends:[+A!]!{id:ID!}}}"
        let reader = "{all:[+A!]!{name:String company:+C{city:String}}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "R", kind: .query, text: "", normalization: plan, reader: reader)
        func item(_ index: Int, isRenamed: Bool) -> String {
            let friends = "[{\"id\":\"\((index + 1) % 300)\"},{\"id\":\"\((index * 7) % 300)\"}]"
            let company = "{\"id\":\"c\(index % 7)\",\"city\":\"x\"}"
            let name = "\(isRenamed ? "new" : "old") \\\"name\\\" \(index)"
            return "{\"id\":\"\(index)\",\"name\":\"\(name)\",\"company\":\(company),\"friends\":\(friends)}"
        }
        func body(renamed: Int) -> [UInt8] {
            let all = (0..<300).map { item($0, isRenamed: $0 == renamed) }
            return Array("{\"data\":{\"all\":[\(all.joined(separator: ","))]}}".utf8)
        }
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        store.publish(try store.normalize(body(renamed: 17), for: operation), for: operation)
        let subscriber = CountingSubscriber()
        let snapshot = store.read(AnyData.self, at: operation.root, operation.reader)
        _ = store.subscribe(subscriber, to: snapshot.dependencies)
        for turn in 1...3 {
            // The name changes on one record and back again.
            let renamed = turn % 2 == 0 ? 17 : -1
            let summary = store.publish(try store.normalize(body(renamed: renamed), for: operation), for: operation)
            #expect(summary.recordsChanged == 1)
            #expect(summary.recordsWritten == 308)
            #expect(summary.subscriptionsAffected == 1)
            #expect(subscriber.count == turn)
            let again = store.publish(try store.normalize(body(renamed: renamed), for: operation), for: operation)
            #expect(again.recordsChanged == 0)
            #expect(subscriber.count == turn)
        }
    }
}
