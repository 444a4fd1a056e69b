import Testing

@testable import Baton

@Suite struct NormalizerTests {
    struct BadInput: Sendable, CustomTestStringConvertible {
        let body: String
        let reason: RelayError.InvalidResponse.Reason
        let path: [JSONValue.PathComponent]
        var testDescription: String { String(body.prefix(60)) }
    }

    static func hero(_ fields: String) -> String {
        #"{"data":{"hero":{"__typename":"Droid","id":"1","name":"R2",\#(fields)}}}"#
    }

    static let badInputs: [BadInput] = [
        .init(body: "", reason: .notJSON("its body is empty"), path: []),
        .init(body: "<html>", reason: .notJSON("expected a value"), path: []),
        .init(body: "[]", reason: .notAResponse, path: []),
        .init(body: "{}", reason: .notAResponse, path: []),
        .init(body: #"{"message":"x"}"#, reason: .notAResponse, path: []),
        .init(
            body: #"{"data":{"hero":{"__typename":"Droid","id":"1","na"#,
            reason: .notJSON("expected '\"', found the end"), path: ["hero", "id"]),
        .init(body: hero(#""mass":1}"#), reason: .notJSON("expected the end"), path: []),
        .init(body: #"{"data":7}"#, reason: .unexpectedValue(expected: "an object under 'data'", found: "7"), path: []),
        .init(
            body: hero(#""mass":"heavy""#), reason: .unexpectedValue(expected: "Int", found: "a string"),
            path: ["hero", "mass"]),
        .init(
            body: hero(#""mass":1.5"#), reason: .unexpectedValue(expected: "Int", found: "1.5"), path: ["hero", "mass"]),
        .init(
            body: hero(#""mass":{"kg":1}"#), reason: .unexpectedValue(expected: "Int", found: "an object"),
            path: ["hero", "mass"]),
        .init(
            body: hero(#""episode":4"#), reason: .unexpectedValue(expected: "Episode", found: "a number"),
            path: ["hero", "episode"]),
        .init(
            body: hero(#""friends":{}"#),
            reason: .unexpectedValue(expected: "a list ([Character])", found: "an object"), path: ["hero", "friends"]),
        .init(
            body: hero(#""friends":[7]"#),
            reason: .unexpectedValue(expected: "an object of type Character", found: "a number"),
            path: ["hero", "friends", 0]),
        .init(
            body: hero(#""friends":[{"__typename":"Human","id":"2","name":null}]"#),
            reason: .unexpectedNull(expected: "String!"), path: ["hero", "friends", 0, "name"]),
        .init(
            body: hero(#""friends":[null,{"id":"2","name":"Han"}]"#), reason: .missingTypename(expected: "Character"),
            path: ["hero", "friends", 1]),
        .init(
            body: hero(#""friends":[{"__typename":"Human","id":true,"name":"x"}]"#),
            reason: .unexpectedValue(expected: "ID!", found: "a Boolean"), path: ["hero", "friends", 0, "id"]),
        .init(
            body: hero(#""friends":[{"__typename":"Human","id":1.5,"name":"x"}]"#),
            reason: .unexpectedValue(expected: "ID!", found: "a number"), path: ["hero", "friends", 0, "id"]),
        .init(
            body: hero(#""tags":[["a"],null]"#), reason: .unexpectedNull(expected: "[[String!]!]"),
            path: ["hero", "tags", 1]),
        .init(
            body: hero(#""tags":[["a",null]]"#), reason: .unexpectedNull(expected: "[[String!]!]"),
            path: ["hero", "tags", 0, 1]),
        .init(
            body: hero(#""tags":["a"]"#),
            reason: .unexpectedValue(expected: "a list ([[String!]!])", found: "a string"), path: ["hero", "tags", 0]),
        .init(
            body: hero(#""born":"never""#), reason: .conversionFailed(scalar: "Date", message: "Malformed()"),
            path: ["hero", "born"]),
        .init(
            body: hero(#""home":"# + String(repeating: "[", count: 100_000)), reason: .tooDeep(limit: 256),
            path: ["hero", "home"]),
        .init(
            body: hero(#""extra":"# + String(repeating: "{\"a\":", count: 100_000)), reason: .tooDeep(limit: 256),
            path: ["hero", "extra"]),
        .init(body: hero(#""mass":01"#), reason: .notJSON("a number does not start with 0"), path: ["hero", "mass"]),
        .init(
            body: hero("\"home\":\"a\u{1}\""), reason: .notJSON("a control character in a string must be escaped"),
            path: ["hero", "home"]),
    ]

    @Test(arguments: badInputs) func badInputFailsAndLeavesTheStoreAsItWas(_ input: BadInput) throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        try store.write(HeroQuery.answer, for: operation)
        let before = store.dump()
        let epoch = store.epoch
        do throws(RelayError.InvalidResponse) {
            _ = try store.normalize(Array(input.body.utf8), for: operation)
            Issue.record("a failure was expected")
        } catch {
            #expect(error.reason == input.reason)
            let isDeep = if case .tooDeep = input.reason { true } else { false }
            #expect(isDeep ? Array(error.path.prefix(input.path.count)) == input.path : error.path == input.path)
            #expect(!error.description.isEmpty)
        }
        #expect(store.dump() == before)
        #expect(store.epoch == epoch)
    }

    @Test func everyPrefixOfAnAnswerFails() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        let bytes = Array(HeroQuery.answer.utf8)
        for end in 0..<bytes.count {
            #expect(throws: RelayError.InvalidResponse.self) {
                try store.normalize(Array(bytes[..<end]), for: operation)
            }
        }
        #expect(store.dump().isEmpty)
    }

    @Test func orderAndSpaceAndUnknownKeysDoNotMatter() throws {
        let compact = Store()
        try compact.write(HeroQuery.answer, for: compact.bind(HeroQuery()))
        let odd = Store()
        let answer = """
            { "extensions" : {"x":[1,{"y":null}]} , "data" : { "unknown": [{}], "hero" : {
              "home":{"planet": "Naboo"}, "ship":{"length":12.5,"title":"X-Wing","more":1}, "friends":[
                {"name":"Luke", "id":1000, "__typename":"Human"}, null, {"name":"R2-D2","__typename":"Droid","id":"2001"} ],
              "born":"1977-05", "tags":[ [ "a" , "b" ] , [ ] ], "mass":32.0, "episode":"EMPIRE", "__isPilot":"Droid",
              "primaryFunction":"Astromech", "na\\u006de":"R2-D2", "id":2001, "__typename":"Droid" } } }
            """
        try odd.write(answer, for: odd.bind(HeroQuery()))
        #expect(Set(odd.dump().split(separator: "\n")) == Set(compact.dump().split(separator: "\n")))
    }

    @Test func errorsAreKeptWhateverTheirShape() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        func response(_ text: String) throws -> StagedResponse { try store.normalize(Array(text.utf8), for: operation) }
        let first = try response(
            #"{"errors":[{"message":"no","path":["hero","friends",0],"locations":[{"line":1,"column":2}],"extensions":{"code":"X"}}],"data":{"hero":null}}"#
        )
        #expect(first.presence == .object)
        #expect(
            first.errors == [
                GraphQLError(
                    message: "no", path: ["hero", "friends", 0], locations: [.init(line: 1, column: 2)],
                    extensions: ["code": "X"])
            ])
        #expect(try response(#"{"data":null,"errors":["text"]}"#).errors.map(\.message) == ["text"])
        #expect(try response(#"{"errors":[{"message":"m","path":null,"locations":[]}]}"#).presence == .absent)
        #expect(try response(#"{"error":"alone"}"#).errors.map(\.message) == ["alone"])
        #expect(try response(#"{"errors":[{"code":5}]}"#).errors.map(\.message) == [#"{"code":5}"#])
        #expect(try response(#"{"data":null}"#).presence == .null)
        #expect(try response(#"{"data":{},"extensions":{"cost":1}}"#).extensions == ["cost": 1])
    }

    @Test func identityFollowsTheTypeOfTheObject() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Search", kind: .query, text: "",
            normalization:
                "{search:[*Result+Film]{<Film>{id:ID! title:String} <Tag>{id:ID! label:String}} film:+Film{id:ID! title:String} tag:Tag{id:ID! label:String} place:Place{city:String} places:[[Place]]{city:String} late:+*Node{child:Place{city:String} id:ID!}}",
            reader: "{}")
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        try store.write(
            """
            {"data":{"search":[{"__typename":"Film","id":"1","title":"A"},{"__typename":"Tag","id":"1","label":"B"},{"__typename":"New","id":"1"}],
            "film":{"id":"1","title":"C"},"tag":{"id":1,"label":"D"},"place":{"city":"E"},"places":[[{"city":"F"}],[null,{"city":"G"}]],
            "late":{"__typename":"Film","child":{"city":"H"},"id":"2"}}}
            """, for: operation)
        let dump = store.dump()
        for line in [
            "1 is Film", "1.title = \"C\"", "Tag:1 is Tag", "Tag:1.label = \"D\"", "client:root:place.city = \"E\"",
            "client:root:search:2 is New",
            "client:root:places:0:places:0.city = \"F\"", "client:root:places:1:places:1.city = \"G\"",
            "2.child = \"-> client:2:child\"",
            "client:2:child.city = \"H\"",
            "client:root.places = [[\"-> client:root:places:0:places:0\"],[null,\"-> client:root:places:1:places:1\"]]",
        ] {
            #expect(dump.split(separator: "\n").contains { $0 == line }, "\(line)\n\(dump)")
        }
    }

    @Test func anApplicationCanChooseDataIDs() throws {
        let store = Store { type, fields in
            guard case .string(let name)? = fields["name"] else { return nil }
            return DataID("\(type)/\(name)")
        }
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        #expect(store.dump().contains("Droid/R2-D2 is Droid"))
        #expect(store.dump().contains("Human/Luke.name = \"Luke\""))
        #expect(store.dump().contains("client:Droid/R2-D2:ship.title"))
    }

    @Test func theSameRecordManyTimesIsMergedAndTheNewestWins() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        try store.write(
            """
            {"data":{"hero":{"__typename":"Droid","id":"1","name":"first","friends":[{"__typename":"Droid","id":"1","name":"second"},\
            {"__typename":"Droid","id":"1","name":"third"}],"mass":5}}}
            """, for: operation)
        // The outer object ends last, so its value counts.
        #expect(store.dump().contains("1.name = \"first\""))
        #expect(store.read(HeroQuery()).data?.hero?.friends?.map { $0?.name } == ["first", "first"])
    }
}
