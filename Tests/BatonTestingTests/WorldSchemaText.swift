import Baton
import BatonTesting

/// The schema of the tests of worlds, and what they ask of answers.
enum WorldSamples {
    static let schema = """
        interface Node { id: ID! }
        interface Titled { title: String! }
        scalar DateTime
        scalar Mood
        enum Genre { DRAMA COMEDY NOIR WESTERN }
        type Film implements Node & Titled {
          id: ID! title: String! genre: Genre! rating: Float createdAt: DateTime! mood: Mood
          director: Person! related: [Film!]! grid: [[Int!]!]! shelves: [[Film!]!]! poster(size: Int = 100): Image
          cast(first: Int, after: String, last: Int, before: String, role: String): CastConnection!
          reviews(first: Int, after: String, last: Int, before: String): ReviewConnection!
        }
        type Image { url: String! width: Int! height: Int! colors: [String!]! owner: Person! }
        type Person implements Node { id: ID! name: String! email: String! films: [Film!]! best: Titled }
        type Book implements Node & Titled { id: ID! title: String! pages: Int! author: Person! }
        type Review implements Node { id: ID! body: String! stars: Int! film: Film! author: Person }
        type CastConnection { edges: [CastEdge!]! nodes: [Person!]! pageInfo: PageInfo! totalCount: Int! }
        type CastEdge { node: Person! cursor: String! role: String! }
        type ReviewConnection { edges: [ReviewEdge] pageInfo: PageInfo! totalCount: Int }
        type ReviewEdge { node: Review cursor: String! }
        type FilmConnection { edges: [FilmEdge!]! pageInfo: PageInfo! totalCount: Int! }
        type FilmEdge { node: Film! cursor: String! }
        type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
        union Found = Film | Book | Person
        input By @oneOf { id: ID title: String }
        type Query {
          node(id: ID!): Node nodes(ids: [ID!]!): [Node]! film(id: ID!): Film filmBy(by: By!): Film
          films(first: Int, after: String, last: Int, before: String, genre: Genre): FilmConnection!
          people(limit: Int, offset: Int): [Person!]! search(text: String!): [Found!]! viewer: Person!
        }
        input FilmInput { title: String! genre: Genre directorId: ID }
        input FilmChange { id: ID! title: String rating: Float }
        input ReviewInput { filmId: ID! body: String! stars: Int!, clientMutationId: String }
        type FilmPayload { film: Film success: Boolean! errors: [UserError!]! }
        type UserError { message: String! }
        type DeletePayload { deletedFilmId: ID success: Boolean! }
        type ReviewPayload { reviewEdge: ReviewEdge film: Film clientMutationId: String }
        type Mutation {
          createFilm(input: FilmInput!): FilmPayload! updateFilm(input: FilmChange!): FilmPayload!
          deleteFilm(id: ID!): DeletePayload! addReview(input: ReviewInput!): ReviewPayload
          likeFilm(id: ID!): FilmPayload! updateViewer(name: String!): Person!
        }
        type Subscription { reviewAdded(filmId: ID!): Review! film(id: ID!): Film! }
        """

    static func world(
        seed: UInt64 = 1, limits: World.Limits = .init(), incremental: LocalService.IncrementalFormat? = .announced
    ) throws -> World {
        try World(
            schema: schema, seed: seed, scalars: ["Mood": { draw in .string("mood \(draw.int(1...9))") }],
            limits: limits, incremental: incremental)
    }
}

extension World {
    /// The data of an operation that has no errors.
    func data(_ text: String, _ variables: JSONValue = .object([])) throws -> JSONValue {
        let answer = execute(text, variables: variables)
        guard answer["errors"] == nil, let data = answer["data"] else { throw Unanswered(answer: answer) }
        return data
    }
}

struct Unanswered: Error {
    let answer: JSONValue
}

extension JSONValue {
    /// The value at a path of names and indices with dots between them.
    func at(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(self) { value, name in
            Int(name).map { value?[$0] } ?? value?[String(name)]
        }
    }

    /// All objects with a field `id`, by the id, with the fields that this value shows of them.
    func entities() -> [String: [String: [JSONValue]]] {
        var found: [String: [String: [JSONValue]]] = [:]
        collect(into: &found)
        return found
    }

    private func collect(into found: inout [String: [String: [JSONValue]]]) {
        switch self {
        case .array(let items): for item in items { item.collect(into: &found) }
        case .object(let members):
            if let id = self["id"]?.stringValue {
                for member in members { found[id, default: [:]][member.name, default: []].append(member.value) }
            }
            for member in members { member.value.collect(into: &found) }
        default: break
        }
    }
}
