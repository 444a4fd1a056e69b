import Baton
import BatonTesting
import Testing

@Suite("World: mutations")
struct WorldMutationTests {
    private static let list = "{ films { totalCount edges { node { id title director { id } } } } }"

    @Test("what is created is in the lists, and is found by its id")
    func create() throws {
        let world = try WorldSamples.world()
        let before = try world.data(Self.list)
        let made = try world.data(
            """
            mutation { createFilm(input: { title: "New", genre: NOIR, directorId: "Person:5" }) {
              success errors { message } film { id title genre rating director { id } } } }
            """)
        #expect(made.at("createFilm.success") == true)
        #expect(made.at("createFilm.errors") == [])
        #expect(made.at("createFilm.film.title") == "New")
        #expect(made.at("createFilm.film.genre") == "NOIR")
        #expect(made.at("createFilm.film.director.id") == "Person:5")
        let id = try #require(made.at("createFilm.film.id"))
        let after = try world.data(Self.list)
        let count = try #require(before.at("films.totalCount")?.intValue)
        #expect(after.at("films.totalCount") == .int(count + 1))
        #expect(after.at("films.edges")?.arrayValue?.last?.at("node.id") == id)
        #expect(Array(after.at("films.edges")?.arrayValue?.dropLast() ?? []) == before.at("films.edges")?.arrayValue)
        let found = try world.data("query Q($id: ID!) { node(id: $id) { ... on Film { title } } }", ["id": id])
        #expect(found.at("node.title") == "New")
        let second = try world.data("mutation { createFilm(input: { title: \"Other\" }) { film { id } } }")
        #expect(second.at("createFilm.film.id") != id)
    }

    @Test("what is updated is otherwise on every path")
    func update() throws {
        let world = try WorldSamples.world()
        let made = try world.data(
            "mutation { updateFilm(input: { id: \"Film:3\", title: \"Changed\", rating: 1.5 }) { film { id title } } }")
        #expect(made.at("updateFilm.film") == ["id": "Film:3", "title": "Changed"])
        let data = try world.data(
            "{ film(id: \"Film:3\") { title rating } nodes(ids: [\"Film:3\"]) { ... on Film { title } } }")
        #expect(data["film"] == ["title": "Changed", "rating": 1.5])
        #expect(data.at("nodes.0.title") == "Changed")
        let viewer = try world.data("mutation { updateViewer(name: \"Me\") { id name } }")
        #expect(viewer.at("updateViewer.name") == "Me")
        #expect(try world.data("{ viewer { id name } }")["viewer"] == viewer["updateViewer"])
    }

    @Test("what is deleted is nowhere")
    func delete() throws {
        let world = try WorldSamples.world()
        let before = try world.data(Self.list)
        let id = try #require(before.at("films.edges.2.node.id"))
        let made = try world.data("mutation M($id: ID!) { deleteFilm(id: $id) { deletedFilmId success } }", ["id": id])
        #expect(made.at("deleteFilm.deletedFilmId") == id)
        let after = try world.data(Self.list)
        #expect(after.at("films.totalCount")?.intValue == (before.at("films.totalCount")?.intValue ?? 0) - 1)
        #expect(!after.text.contains("\"\(id.stringValue ?? "")\""))
        let found = try world.data("query Q($id: ID!) { film(id: $id) { id } nodes(ids: [$id]) { id } }", ["id": id])
        #expect(found == ["film": nil, "nodes": [nil]])
    }

    @Test("what is created for another entity is in that one's lists, and comes back as an edge")
    func createBelow() throws {
        let world = try WorldSamples.world()
        let text = "{ film(id: \"Film:4\") { reviews { totalCount edges { node { id body film { id } } } } } }"
        let before = try world.data(text)
        let made = try world.data(
            """
            mutation { addReview(input: { filmId: "Film:4", body: "Fine", stars: 4, clientMutationId: "c1" }) {
              clientMutationId film { id } reviewEdge { cursor node { id body stars film { id } } } } }
            """)
        #expect(made.at("addReview.clientMutationId") == "c1")
        #expect(made.at("addReview.film.id") == "Film:4")
        #expect(made.at("addReview.reviewEdge.node.body") == "Fine")
        #expect(made.at("addReview.reviewEdge.node.film.id") == "Film:4")
        let after = try world.data(text)
        #expect(
            after.at("film.reviews.totalCount")?.intValue == (before.at("film.reviews.totalCount")?.intValue ?? 0) + 1)
        #expect(
            after.at("film.reviews.edges")?.arrayValue?.last?.at("node.id") == made.at("addReview.reviewEdge.node.id"))
    }

    @Test("the noun of a mutation says what it is about, also where the payload shows something else")
    func nouns() throws {
        let world = try World(
            schema: """
                type Query { issue(id: ID!): Issue user(id: ID!): User box: Box }
                type Issue { id: ID! title: String! } type User { id: ID! name: String! address: Address }
                type Address { id: ID! city: String! } type Line { id: ID! count: Int! }
                type Box { all: [Line!] some: [Line] one: Line must: Line! }
                type DeleteIssuePayload { user: User } type AddressPayload { user: User address: Address }
                type Mutation { deleteIssue(id: ID!): DeleteIssuePayload addressUpdate(id: ID!, city: String): AddressPayload
                  linesDelete(ids: [ID!]!): User deleteLine(id: ID!): ID }
                """)
        let text = "{ issue(id: \"Issue:1\") { id } user(id: \"User:1\") { id } }"
        _ = try world.data("mutation { deleteIssue(id: \"Issue:1\") { user { id } } }")
        #expect(try world.data(text) == ["issue": nil, "user": ["id": "User:1"]])
        let address = try world.data(
            "mutation { addressUpdate(id: \"Address:2\", city: \"Rome\") { address { id city } } }")
        #expect(address.at("addressUpdate.address") == ["id": "Address:2", "city": "Rome"])
        // What is deleted leaves a list of an override, whatever may be null there.
        let lines: JSONValue = [["$ref": "Line:1"], ["$ref": "Line:2"], ["$ref": "Line:3"]]
        try world.override([
            "Box": ["all": lines, "some": lines, "one": ["$ref": "Line:1"], "must": ["$ref": "Line:1"]]
        ])
        _ = try world.data("mutation { linesDelete(ids: [\"Line:1\", \"Line:3\"]) { id } }")
        let left = try world.data("{ box { all { id } some { id } one { id } must { id } } }")
        #expect(
            left["box"] == [
                "all": [["id": "Line:2"]], "some": [["id": "Line:2"]], "one": nil, "must": ["id": "Line:1"],
            ])
    }

    @Test("a client that never stops cannot exhaust memory")
    func limit() throws {
        let world = try WorldSamples.world()
        let text = "mutation Q($id: ID!, $t: String!) { updateFilm(input: { id: $id, title: $t }) { film { id } } }"
        let title = String(repeating: "a", count: 4 << 20)
        func answer(_ number: Int) -> JSONValue {
            world.execute(text, variables: ["id": .string("Film:\(number)"), "t": .string(title)])
        }
        // A change of what was changed before adds nothing.
        for _ in 1...20 { #expect(answer(1)["errors"] == nil) }
        let refused = try #require((2...20).first { answer($0)["errors"] != nil })
        #expect((15...17).contains(refused))
        #expect(answer(1)["errors"]?[0]?["message"]?.stringValue?.contains("64 MB") == true)
        world.reset()
        #expect(answer(1)["errors"] == nil)
    }

    @Test("a closure says what a mutation changes")
    func rules() throws {
        let world = try WorldSamples.world()
        world.onMutation("likeFilm") { arguments in [arguments.string("id") ?? "": ["rating": 5]] }
        let made = try world.data("mutation { likeFilm(id: \"Film:6\") { film { id rating } } }")
        #expect(made.at("likeFilm.film") == ["id": "Film:6", "rating": 5.0])
        #expect(try world.data("{ film(id: \"Film:6\") { rating } }").at("film.rating") == 5.0)
        world.onMutation("likeFilm") { _ in ["Film": ["raiting": 5]] }
        #expect(world.execute("mutation { likeFilm(id: \"Film:6\") { film { id } } }")["errors"] != nil)
    }

    @Test("an event is given to the subscriptions of its field")
    func subscriptions() async throws {
        let world = try WorldSamples.world()
        let request = NetworkRequest(
            id: 1, operationName: "S", kind: .subscription,
            text: "subscription S($id: ID!) { film(id: $id) { id title } }", variables: [.init("id", "Film:2")])
        let stream = world.responses(to: request)
        #expect(world.subscriptionCount == 1)
        try world.emit("reviewAdded")
        try world.emit("film", ["Film:2": ["title": "Event"]])
        var iterator = stream.makeAsyncIterator()
        let response = try #require(try await iterator.next())
        #expect(response.hasNext)
        #expect(
            String(decoding: response.body, as: UTF8.self) == #"{"data":{"film":{"id":"Film:2","title":"Event"}}}"#)
        let first = try world.data("subscription { reviewAdded(filmId: \"Film:2\") { id body } }")
        #expect(first.at("reviewAdded.body")?.stringValue != nil)
    }

    @Test("what many threads change and create at once is all there")
    func manyThreads() async throws {
        let world = try WorldSamples.world()
        let ids = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            for index in 0..<32 {
                group.addTask {
                    try world.override(["Book:\(index)": ["pages": .int(index)]])
                    let made = try world.data("mutation { createFilm(input: { title: \"\(index)\" }) { film { id } } }")
                    return made.at("createFilm.film.id")
                }
            }
            return try await group.reduce(into: Set<JSONValue?>()) { $0.insert($1) }
        }
        #expect(ids.count == 32)
        for index in 0..<32 {
            let data = try world.data("{ node(id: \"Book:\(index)\") { ... on Book { pages } } }")
            #expect(data.at("node.pages") == .int(index))
        }
    }

    @Test("answers are the same from many threads")
    func threads() async throws {
        let world = try WorldSamples.world()
        let expected = world.execute(Self.list)
        let answers = await withTaskGroup(of: JSONValue.self) { group in
            for index in 0..<16 {
                group.addTask {
                    if index % 4 == 0 { _ = world.execute("mutation { updateViewer(name: \"\(index)\") { name } }") }
                    return world.execute(Self.list)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == expected })
    }
}
