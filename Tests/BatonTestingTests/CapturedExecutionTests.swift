import Baton
import BatonTesting
import Foundation
import Testing

/// Answers of servers that run the reference implementation in Python, compared with those of `LocalService` on the
/// same schema and data.
///
/// The captures are beside the repository in `shared/servers/captures`; without them this suite is skipped.
@Suite("Captured executions", .enabled(if: Exchange.folder != nil, "the captures of servers are not there"))
struct CapturedExecutionTests {
    @Test(
        "the service answers as the captured servers did",
        arguments: [
            "post", "relay-page", "relay-backward", "search-union", "err-partial", "err-bubble", "err-data-null",
            "err-data-null-gr", "mutation", "mutation-error", "err-validation", "err-variables", "err-opname",
            "err-parse",
        ]
    )
    func theServiceAnswersLikeTheCapturedServers(_ name: String) throws {
        var count = 0
        for server in ["gcore332", "gcorea6", "ariadne", "gserver", "ghttp", "sillo"] {
            guard let exchange = try Exchange("\(server)-\(name)") else { continue }
            count += 1
            let service = try Saga.service()
            let answer = service.execute(
                exchange.query,
                operationName: exchange.operationName,
                variables: exchange.variables
            )
            let expected = exchange.answer
            let errors = Self.errors(expected)
            if errors.contains(where: { $0.path == nil }) {
                // The request has an error. Each server has its own wording, and some send `data: null`.
                #expect(answer["data"] == nil, "\(server)")
                #expect(!Self.errors(answer).isEmpty, "\(server)")
                continue
            }
            // Some servers leave out `data` that is null.
            #expect(answer["data"] == expected["data"] ?? .null, "\(server)")
            #expect(Self.errors(answer) == errors, "\(server)")
        }
        #expect(count >= 3)
    }

    private struct FieldError: Hashable {
        let message: JSONValue?
        let path: JSONValue?
        let locations: JSONValue?
    }

    private static func errors(_ answer: JSONValue) -> Set<FieldError> {
        guard case .array(let errors) = answer["errors"] else { return [] }
        return Set(errors.map { FieldError(message: $0["message"], path: $0["path"], locations: $0["locations"]) })
    }
}

/// A request and the response to it.
private struct Exchange {
    let query: String
    let operationName: String?
    let variables: JSONValue
    let answer: JSONValue

    static var folder: URL? {
        var directory = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { directory.deleteLastPathComponent() }
        let folder = directory.deletingLastPathComponent().appendingPathComponent("shared/servers/captures")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// Reads a capture; nil if there is no such capture, or if it has no JSON answer.
    init?(_ name: String) throws {
        guard let url = Self.folder?.appendingPathComponent("\(name).txt"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return nil }
        let objects = text.split(separator: "\n").filter { $0.hasPrefix("{") }
        guard objects.count == 2 else { return nil }
        let request = try JSONValue.parse(String(objects[0]))
        guard case .string(let query) = request["query"] else { return nil }
        self.query = query
        operationName = if case .string(let name) = request["operationName"] { name } else { nil }
        variables = request["variables"] ?? .object([])
        answer = try JSONValue.parse(String(objects[1]))
    }
}

/// The schema and the data of the captured servers.
private enum Saga {
    struct Character: Sendable {
        let id: String
        let name: String
        let friendIDs: [String]
        var homePlanet: String?
        var primaryFunction: String?
        var type: String { primaryFunction == nil ? "Human" : "Droid" }
    }

    struct Story: Sendable {
        let index: Int
        var id: String { Saga.globalID("Story", index) }
        var title: String { "Story \(index)" }
    }

    static let characters = [
        Character(
            id: "1000", name: "Luke Skywalker", friendIDs: ["1002", "1003", "2000", "2001"], homePlanet: "Tatooine"),
        Character(id: "1002", name: "Han Solo", friendIDs: ["1000", "1003", "2001"]),
        Character(
            id: "1003", name: "Leia Organa", friendIDs: ["1000", "1002", "2000", "2001"], homePlanet: "Alderaan"),
        Character(id: "2000", name: "C-3PO", friendIDs: ["1000", "1002", "1003", "2001"], primaryFunction: "Protocol"),
        Character(id: "2001", name: "R2-D2", friendIDs: ["1000", "1002", "1003"], primaryFunction: "Astromech"),
    ]

    static func globalID(_ type: String, _ key: Any) -> String {
        Data("\(type):\(key)".utf8).base64EncodedString()
    }

    @Sendable static func find(_ id: String?) -> LocalObject<Character>? {
        characters.first { $0.id == id }.map { LocalObject($0.type, $0) }
    }

    static func service() throws -> LocalService {
        var resolvers = LocalResolvers()
        resolvers.field("Query", "hero") { find($0.arguments.string("episode") == "EMPIRE" ? "1000" : "2001") }
        resolvers.field("Query", "viewer") { _ in 0 }
        resolvers.field("Query", "search") { context in
            let text = context.arguments.string("text")?.lowercased() ?? ""
            let ship: JSONValue = ["__typename": "Starship", "id": "3000", "name": "Millennium Falcon"]
            return characters.filter { $0.name.lowercased().contains(text) }.compactMap { find($0.id) }
                as [any Sendable]
                + ("millennium falcon".contains(text) ? [ship] : [])
        }
        resolvers.field("Character", "appearsIn") { _ in ["NEWHOPE", "EMPIRE", "JEDI"] }
        resolvers.field("Character", "friends", of: Character.self) { source, _ in source.friendIDs.map(find) }
        resolvers.field("Character", "secretBackstory") { _ in
            throw LocalError("secretBackstory is secret.", extensions: [.init("code", "FORBIDDEN")])
        }
        resolvers.field("Character", "slowBroken") { _ in throw LocalError("the database is on fire") }
        resolvers.field("Human", "height") { $0.arguments.string("unit") == "METER" ? 1.72 : 5.64 }
        resolvers.field("Viewer", "id") { _ in globalID("Viewer", "me") }
        resolvers.field("Viewer", "feed") { context in
            let stories = (0..<10_000).map { Story(index: $0) }
            return try LocalConnection(stories, context.arguments) { globalID("arrayconnection", $0.index) }
        }
        resolvers.object("Story", Story.self) { type in
            type.field("id") { $0.id }
            type.field("title") { $0.title }
        }
        resolvers.field("Mutation", "createReview") { context in
            let review = context.arguments.object("review")
            guard let stars = review?.int("stars"), (0...5).contains(stars) else {
                throw LocalError("stars must be 0...5", extensions: [.init("code", "BAD_USER_INPUT")])
            }
            return [
                "episode": context.arguments["episode"] ?? nil, "stars": .int(stars),
                "commentary": review?["commentary"] ?? nil,
            ] as [String: JSONValue]
        }
        return try LocalService(schema: schema, resolvers: resolvers)
    }

    static let schema = """
        scalar Upload
        enum Episode { NEWHOPE EMPIRE JEDI }
        interface Node { id: ID! }
        interface Character { id: ID! name: String! appearsIn: [Episode!]! friends: [Character]! friendStream: [Character!]!
          slowBio(ms: Int = 300): String! secretBackstory: String slowBroken(ms: Int = 200): String! }
        type Human implements Character { id: ID! name: String! appearsIn: [Episode!]! friends: [Character]! friendStream: [Character!]!
          slowBio(ms: Int = 300): String! secretBackstory: String slowBroken(ms: Int = 200): String! homePlanet: String height(unit: String = "METER"): Float! }
        type Droid implements Character { id: ID! name: String! appearsIn: [Episode!]! friends: [Character]! friendStream: [Character!]!
          slowBio(ms: Int = 300): String! secretBackstory: String slowBroken(ms: Int = 200): String! primaryFunction: String }
        type Starship { id: ID! name: String! }
        union SearchResult = Human | Droid | Starship
        type Review { episode: Episode! stars: Int! commentary: String }
        input ColorInput { red: Int! green: Int! blue: Int! }
        input ReviewInput { stars: Int! commentary: String favoriteColor: ColorInput }
        type Story implements Node { id: ID! title: String! likeCount: Int! }
        type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
        type StoryEdge { cursor: String! node: Story }
        type StoryConnection { edges: [StoryEdge] pageInfo: PageInfo! totalCount: Int! }
        type Viewer implements Node { id: ID! name: String! feed(first: Int, after: String, last: Int, before: String): StoryConnection! }
        type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! viewer: Viewer! hero(episode: Episode): Character human(id: ID!): Human
          droid(id: ID!): Droid search(text: String!): [SearchResult!]! reviews(episode: Episode!): [Review!]! }
        type Mutation { createReview(episode: Episode!, review: ReviewInput!): Review! upload(file: Upload!): String! uploadMany(files: [Upload!]!): [String!]! }
        type Subscription { reviewAdded(episode: Episode): Review! countdown(start: Int = 3, ms: Int = 100, failAt: Int = -1): Int! }
        """
}
