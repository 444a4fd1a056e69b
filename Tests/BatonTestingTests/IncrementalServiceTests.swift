import Baton
import BatonTesting
import Testing

@Suite("LocalService: @defer and @stream")
struct IncrementalServiceTests {
    private struct Hero: Sendable {
        let name: String?
        var age: Int { 7 }
        let friends: [String]
    }

    private static func service(_ format: LocalService.IncrementalFormat?, name: String? = "Ada") throws -> LocalService
    {
        var resolvers = LocalResolvers()
        resolvers.field("Query", "hero") { _ in Hero(name: name, friends: ["a", "b", "c"]) }
        resolvers.field("Query", "maybe") { _ in Hero(name: name, friends: []) }
        resolvers.object("Hero", Hero.self) { hero in hero.field("age") { $0.age } }
        return try LocalService(
            schema: "type Query { hero: Hero! maybe: Hero } type Hero { name: String! age: Int friends: [String!]! }",
            resolvers: resolvers, incremental: format)
    }

    @Test("a part is announced, sent once beside its object, and completed")
    func announced() throws {
        let payloads = try Self.service(.announced).executeInParts(
            "{ hero { name } ... @defer(label: \"D\") { hero { name age } } }")
        #expect(
            payloads == [
                [
                    "data": ["hero": ["name": "Ada"]], "pending": [["id": "0", "path": [], "label": "D"]],
                    "hasNext": true,
                ],
                [
                    "incremental": [["id": "0", "subPath": ["hero"], "data": ["age": 7]]],
                    "completed": [["id": "0"]], "hasNext": false,
                ],
            ])
    }

    @Test("the older format has the whole fragment with path and label")
    func labelled() throws {
        let payloads = try Self.service(.labelled).executeInParts(
            "{ hero { name ... @defer(label: \"D\") { name age } } }")
        #expect(
            payloads == [
                ["data": ["hero": ["name": "Ada"]], "hasNext": true],
                [
                    "incremental": [["label": "D", "path": ["hero"], "data": ["name": "Ada", "age": 7]]],
                    "hasNext": false,
                ],
            ])
    }

    @Test("the items of a list come one after the other")
    func streams() throws {
        let text = "query Q($n: Int = 1) { hero { friends @stream(label: \"S\", initialCount: $n) } }"
        let newer = try Self.service(.announced).executeInParts(text)
        #expect(newer[0]["data"] == ["hero": ["friends": ["a"]]])
        #expect(newer[0]["pending"] == [["id": "0", "path": ["hero", "friends"], "label": "S"]])
        #expect(newer[1] == ["incremental": [["id": "0", "items": ["b"]]], "hasNext": true])
        #expect(
            newer[2]
                == ["incremental": [["id": "0", "items": ["c"]]], "completed": [["id": "0"]], "hasNext": false])
        let older = try Self.service(.labelled).executeInParts(text)
        #expect(
            older[2] == [
                "incremental": [["label": "S", "path": ["hero", "friends", 2], "items": ["c"]]], "hasNext": false,
            ])
        #expect(try Self.service(.announced).executeInParts(text, variables: ["n": 3]).count == 1)
    }

    @Test("a condition that does not hold, and a service without a format, give one piece")
    func onePiece() throws {
        let text = "query Q($d: Boolean!) { hero { ... @defer(if: $d) { name } } }"
        #expect(try Self.service(.announced).executeInParts(text, variables: ["d": false]).count == 1)
        #expect(try Self.service(.announced).executeInParts(text, variables: ["d": true]).count == 2)
        #expect(
            try Self.service(.announced).execute(text, variables: ["d": true]) == ["data": ["hero": ["name": "Ada"]]])
        let refused = try Self.service(nil).executeInParts(text, variables: ["d": true])
        #expect(refused.count == 1 && refused[0]["errors"] != nil)
    }

    @Test("an error that reaches the fragment completes it without data, and nothing comes below a null")
    func errors() throws {
        let text = "{ hero { age ... @defer { name } } }"
        let newer = try Self.service(.announced, name: nil).executeInParts(text)
        #expect(newer.count == 2 && newer[1]["incremental"] == nil)
        #expect(newer[1].at("completed.0.errors.0.path") == ["hero", "name"])
        let older = try Self.service(.labelled, name: nil).executeInParts(text)
        #expect(older[1].at("incremental.0.data") == .null)
        #expect(older[1].at("incremental.0.errors.0.path") == ["hero", "name"])
        let none = try Self.service(.announced, name: nil).executeInParts("{ hero { name ... @defer { age } } }")
        #expect(none.count == 1)
        let half = try Self.service(.announced, name: nil).executeInParts(
            "{ hero { age } maybe { name ... @defer { age } } }")
        #expect(half.count == 1 && half[0]["data"] == ["hero": ["age": 7], "maybe": nil])
    }

    @Test("the network gives each payload as a response of its own, after the delay")
    func network() async throws {
        let service = try Self.service(.announced)
        let request = NetworkRequest(
            id: 1, operationName: "Q", kind: .query, text: "query Q { hero { name ... @defer { age } } }",
            isIncremental: true)
        var responses: [NetworkResponse] = []
        for try await response in service.responses(to: request) { responses.append(response) }
        #expect(responses.map(\.hasNext) == [true, false])
        #expect(service.requestCount == 1)
        let whole = try await service.send(request)
        #expect(!whole.hasNext)
    }
}
