import RandomCases
import Testing

@testable import Baton

/// Fields and lists that several places of one response have, where parts of the response arrive later. The cases were
/// found by `answer-model`.
@Suite struct SharedPartsTests {
    /// The store after the payloads of one response have landed.
    private func store(_ normalization: String, _ payloads: [String]) throws -> Store {
        let store = Store()
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: normalization, reader: "{}")
        let operation = store.bind(artifact, variables: .object([]))
        var delivery = try #require(IncrementalDelivery(operation))
        for payload in payloads {
            store.publish(try store.normalize(Array(payload.utf8), into: &delivery).response, for: operation)
        }
        try delivery.finish()
        #expect(store.check(operation) == .available(fetchedAt: nil))
        return store
    }

    private static let users = ["a", "b", "c"].map { #"{"id":"\#($0)","name":"\#($0)"}"# }
    private static let all = #"user.all = ["-> a","-> b","-> c"]"#

    /// The record gets the list from both fields. The streamed one has fewer items at first.
    @Test(arguments: ["all:[+User]{id:ID! name:String}", ""], ["all:[+User]{id:ID! name:String}", ""])
    func aStreamedListIsAlsoThereInWhole(_ before: String, _ after: String) throws {
        let fields = ["id:ID!", before, "x=all:[+User]@stream(\"S\",1){id:ID! name:String}", after]
        let plan = "{user:+User{\(fields.filter { !$0.isEmpty }.joined(separator: " "))}}"
        let whole = #""all":[\#(Self.users.joined(separator: ","))]"#
        let members = [before.isEmpty ? nil : whole, #""x":[\#(Self.users[0])]"#, after.isEmpty ? nil : whole]
        let first =
            #"{"data":{"user":{"id":"user",\#(members.compactMap(\.self).joined(separator: ","))}},"hasNext":true}"#
        for later in [
            [
                #"{"incremental":[{"label":"S","path":["user","x",1],"items":[\#(Self.users[1])]}],"hasNext":true}"#,
                #"{"incremental":[{"label":"S","path":["user","x",2],"items":[\#(Self.users[2])]}],"hasNext":false}"#,
            ],
            [
                #"{"pending":[{"id":"0","label":"S","path":["user","x"]}],"incremental":[{"id":"0","items":[\#(Self.users[1])]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[\#(Self.users[2])]}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ],
        ] {
            #expect(try store(plan, [first] + later).dump().contains(Self.all))
        }
    }

    /// Two fields of one record stream the same list, and one of them is behind.
    @Test(arguments: [(2, 0), (0, 2), (1, 1), (3, 0), (0, 0)])
    func twoStreamsOfOneListDoNotDisturbEachOther(_ first: Int, _ second: Int) throws {
        let plan =
            "{user:+User{id:ID! x=all:[+User]@stream(\"X\",\(first)){id:ID! name:String} "
            + "y=all:[+User]@stream(\"Y\",\(second)){id:ID! name:String}}}"
        func beginning(_ count: Int) -> String { Self.users.prefix(count).joined(separator: ",") }
        for seed in RandomCases.seeds(40, from: 0 as UInt64) {
            var random = SeededGenerator(seed: seed)
            var payloads = [
                #"{"data":{"user":{"id":"user","x":[\#(beginning(first))],"y":[\#(beginning(second))]}},"pending":[{"id":"X","label":"X","path":["user","x"]},{"id":"Y","label":"Y","path":["user","y"]}],"hasNext":true}"#
            ]
            var next = ["X": first, "Y": second]
            while let label = next.filter({ $0.value < 3 }).keys.sorted().randomElement(using: &random) {
                let start = next[label] ?? 3
                let count = Int.random(in: 1...(3 - start), using: &random)
                let items = Self.users[start..<(start + count)].joined(separator: ",")
                payloads.append(#"{"incremental":[{"id":"\#(label)","items":[\#(items)]}],"hasNext":true}"#)
                next[label] = start + count
            }
            payloads.append(#"{"hasNext":false}"#)
            #expect(try store(plan, payloads).dump().contains(Self.all), "seed \(seed)")
        }
    }

    /// The list of the later fragment begins with nothing although the record has the list already.
    @Test func aListOfALaterFragmentHasItsOwnBeginning() throws {
        let store = try store(
            "{user:+User{id:ID! all:[+User]{id:ID!} <>@defer(\"A\"){x=all:[+User]@stream(\"S\",0){id:ID! name:String}} <>@defer(\"B\"){y=all:[+User]{id:ID! age:Int}}}}",
            [
                #"{"data":{"user":{"id":"user","all":[{"id":"2"},null]}},"hasNext":true}"#,
                #"{"pending":[{"id":"0","label":"A","path":["user"]},{"id":"1","label":"B","path":["user"]},{"id":"2","label":"S","path":["user","x"]}],"incremental":[{"id":"0","data":{"x":[]}},{"id":"1","data":{"y":[{"id":"2","age":1},null]}}],"hasNext":true}"#,
                #"{"incremental":[{"id":"2","items":[{"id":"2","name":"N"},null]}],"hasNext":false}"#,
            ])
        #expect(store.dump().contains(#"user.all = ["-> 2",null]"#))
    }

    /// A part that comes again with the same beginning does not take away what the list has got since.
    @Test func aBeginningThatComesAgainTakesNothingAway() throws {
        let list = "all:[+User]@stream(\"S\",1){id:ID! name:String}"
        let part = #""path":["user"],"data":{"all":[\#(Self.users[0])]}"#
        let store = try store(
            "{user:+User{id:ID! <>@defer(\"A\"){\(list)} <>@defer(\"B\"){\(list)}}}",
            [
                #"{"data":{"user":{"id":"user"}},"hasNext":true}"#, #"{"label":"A",\#(part),"hasNext":true}"#,
                #"{"label":"S","path":["user","all",1],"items":[\#(Self.users[1...].joined(separator: ","))],"hasNext":true}"#,
                #"{"label":"B",\#(part),"hasNext":false}"#,
            ])
        #expect(store.dump().contains(Self.all))
    }

    /// Two fragments select `friend`. The server sends it with one of them and the rest with the other.
    @Test func aFieldOfTwoFragmentsIsSentOnce() throws {
        let store = try store(
            "{user:+User{id:ID! <>@defer(\"A\"){friend:Pet{name:String}} <>@defer(\"B\"){friend:Pet{age:Int <*Cat>{lives:Int}}}}}",
            [
                #"{"data":{"user":{"id":"user"}},"pending":[{"id":"0","label":"A","path":["user"]},{"id":"1","label":"B","path":["user"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","subPath":["friend"],"data":{"age":3,"__isCat":"Pet","lives":7}}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"friend":{"name":"Tom"}}}],"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
        for line in ["name = \"Tom\"", "age = 3", "lives = 7", "Pet is Cat"] { #expect(store.dump().contains(line)) }
    }

    /// The item has only its `id`, and the part has other fields of the same record.
    @Test func aPartKeepsTheIDOfAnItemInTheSamePayload() throws {
        let store = try store(
            "{all:[+User]@stream(\"S\",0){id:ID! <>@defer(\"A\"){name:String}}}",
            [
                #"{"data":{"all":[]},"pending":[{"id":"0","label":"S","path":["all"]}],"hasNext":true}"#,
                #"{"pending":[{"id":"1","label":"A","path":["all",0]}],"incremental":[{"id":"0","items":[{"id":"a"}]},{"id":"1","data":{"name":"Ann"}}],"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
        #expect(store.dump().contains("a.id = \"a\"") && store.dump().contains("a.name = \"Ann\""))
    }

    /// A part of one of two announced fragments proves nothing before the other has come.
    @Test func anAnnouncedPartProvesNothingBeforeAllAreCompleted() throws {
        let store = Store()
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "",
            normalization:
                "{user:+User{id:ID! <>@defer(\"A\"){<*Pilot>{ship:String}} <>@defer(\"B\"){<*Pilot>{ship:String} age:Int}}}",
            reader: "{}")
        let operation = store.bind(artifact, variables: .object([]))
        var delivery = try #require(IncrementalDelivery(operation))
        var facts: [Bool?] = []
        for payload in [
            #"{"data":{"user":{"id":"user"}},"pending":[{"id":"0","label":"A","path":["user"]},{"id":"1","label":"B","path":["user"]}],"hasNext":true}"#,
            #"{"incremental":[{"id":"1","data":{"age":3}}],"hasNext":true}"#,
            #"{"completed":[{"id":"1"}],"hasNext":true}"#,
            #"{"completed":[{"id":"0"}],"hasNext":true}"#,
        ] {
            store.publish(try store.normalize(Array(payload.utf8), into: &delivery).response, for: operation)
            facts.append(
                store.records.facts[
                    TypeFact(type: store.names.type("User"), abstractType: store.names.type("Pilot"))])
        }
        #expect(facts == [nil, nil, nil, false])
    }

    /// Five fragments select one list, which the server sends once. Each looks at all of it.
    @Test func aFieldOfManyFragmentsComesOnce() throws {
        let names = ["a", "b", "c", "d", "e"]
        let fragments = names.map { #"<>@defer("\#($0)"){friends:[+User]{id:ID!} \#($0):Int}"# }
        let plan = "{user:+User{id:ID! \(fragments.joined(separator: " "))}}"
        let pending = names.enumerated().map { #"{"id":"\#($0)","label":"\#($1)","path":["user"]}"# }
        let friends = (10..<210).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let parts = names.enumerated().map { number, name in
            #"{"id":"\#(number)","data":{\#(number == 0 ? "\"friends\":[\(friends)]," : "")"\#(name)":\#(number)}}"#
        }
        let completed = names.indices.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let dump = try store(
            plan,
            [
                #"{"data":{"user":{"id":"user"}},"pending":[\#(pending.joined(separator: ","))],"hasNext":true}"#,
                #"{"incremental":[\#(parts.joined(separator: ","))],"completed":[\#(completed)],"hasNext":false}"#,
            ]
        ).dump()
        #expect(dump.contains("user.e = 4"))
        #expect(dump.contains(#"user.friends = ["-> 10","#))
    }

    /// Each item waits for the one before it.
    @Test func theItemsOfAListComeInAnyOrder() throws {
        let count = 4_000
        let items = (1...count).reversed().map {
            #"{"label":"S","path":["user","all",\#($0)],"items":[{"id":"i\#($0)"}]}"#
        }
        let dump = try store(
            #"{user:+User{id:ID! all:[+User]@stream("S",1){id:ID!}}}"#,
            [
                #"{"data":{"user":{"id":"user","all":[{"id":"i0"}]}},"hasNext":true}"#,
                #"{"incremental":[\#(items.joined(separator: ","))],"hasNext":false}"#,
            ]
        ).dump()
        let expected = (0...count).map { #""-> i\#($0)""# }.joined(separator: ",")
        #expect(dump.contains("user.all = [\(expected)]"))
    }

    /// Many parts of one large payload come before what they belong to.
    @Test func waitingPartsOfOnePayloadCountItsBytesOnce() throws {
        let items = (1...20).map { #"{"label":"S","path":["user","all",\#($0)],"items":[{"id":"i\#($0)"}]}"# }
        let note = String(repeating: "x", count: 1 << 20)
        let dump = try store(
            #"{user:+User{id:ID! all:[+User]@stream("S",1){id:ID!}}}"#,
            [
                #"{"incremental":[\#(items.joined(separator: ","))],"extensions":{"note":"\#(note)"},"hasNext":true}"#,
                #"{"data":{"user":{"id":"user","all":[{"id":"i0"}]}},"hasNext":false}"#,
            ]
        ).dump()
        #expect(dump.contains(#""-> i20"]"#))
    }
}
