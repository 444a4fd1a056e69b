import Baton
import BatonHTTP
import BatonTesting
import Foundation
import Testing

@testable import BatonMock

/// A server for a test, which stops with it.
final class RunningMock: Sendable {
    static let schema = """
        type Film { id: ID! title: String! rating: Int director: Person! reviews: [Review!]! }
        type Person { id: ID! name: String! }
        type Review { id: ID! body: String! stars: Int! }
        type Query { film(id: ID!): Film films: [Film!]! poster(id: ID!): Poster }
        type FilmPayload { film: Film }
        scalar Upload
        type Poster { id: ID! filename: String! mimetype: String! size: Int! film: Film! }
        input PosterInput { film: ID! image: Upload! }
        type Mutation {
          updateFilm(id: ID!, title: String!): FilmPayload!
          createPoster(input: PosterInput!): Poster!
          addPoster(film: ID!, file: Upload!, more: [Upload!]!): Boolean!
        }
        type Subscription { reviewAdded(filmId: ID!): Review! }
        """

    let world: World
    let responder: Responder
    let server: MockServer

    /// Limits for a client that may wait minutes for its turn, because all tests run beside it.
    static var patience: MockServer.Limits {
        var limits = MockServer.Limits()
        (limits.idleMilliseconds, limits.requestMilliseconds) = (600_000, 600_000)
        (limits.greetingMilliseconds, limits.silenceMilliseconds) = (600_000, 600_000)
        return limits
    }

    init(events: Int = 1, documents: String = "{}", _ limits: MockServer.Limits = patience) throws {
        world = try World(schema: Self.schema)
        responder = try Responder(
            world, .init(eventMilliseconds: events), documents: KnownDocuments(Array(documents.utf8)))
        server = try MockServer(limits: limits, responder: responder)
    }

    deinit { server.stop() }

    var url: URL { address("/graphql") }

    func address(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(server.port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// Sends bytes over a connection of its own, and reads to the end.
    func exchange(_ text: String) throws -> String {
        let client = try #require(LoopbackClient(server.port))
        client.send(Array(text.utf8))
        return String(decoding: client.readToEnd(), as: UTF8.self)
    }

    /// Sends one request, whose connection ends with the answer.
    func ask(_ method: String, _ path: String, _ headers: [String] = [], _ body: String? = nil) throws -> String {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: a", "Connection: close"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return try exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    /// Sends an operation as JSON.
    func post(_ query: String, _ headers: [String] = []) throws -> String {
        let body: JSONValue = ["query": .string(query)]
        return try ask("POST", "/graphql", ["Content-Type: application/json"] + headers, body.text)
    }
}

extension NetworkRequest {
    static func sample(
        _ text: String, _ kind: OperationKind = .query, name: String = "Sample", headers: [String: String] = [:],
        isIncremental: Bool = false
    ) -> NetworkRequest {
        NetworkRequest(
            id: 1, operationName: name, kind: kind, text: text,
            configuration: RequestConfiguration(timeout: .seconds(600), headers: headers),
            isIncremental: isIncremental)
    }
}

extension NetworkResponse {
    var json: JSONValue { (try? JSONValue.parse(body)) ?? .null }
}
