import Baton
import BatonHTTP
import Foundation
import NIOTransport
import Testing

/// The environment of one test on one server, and the server's records about it.
struct Visit {
    let environment: RelayEnvironment
    /// Marks the requests of this test in the server's logbook.
    let mark = UUID().uuidString
    private let server: Server

    /// Reads logbooks.
    private static let reader = AsyncHTTPTransport()

    /// Makes an environment over HTTP.
    init(
        _ server: Server, _ transport: TransportKind, url: URL? = nil, documents: DocumentTransfer = .text,
        useGETForQueries: Bool = false, _ interceptors: any NetworkInterceptor...
    ) throws {
        let network = HTTPNetwork(
            url: try url ?? server.url, transport: try transport.make(), documents: documents,
            useGETForQueries: useGETForQueries, headers: { [mark] _ in ["X-Mark": mark] })
        environment = RelayEnvironment(network: network.intercepted(by: interceptors), log: { _ in })
        self.server = server
    }

    /// Makes an environment over a network that the closure makes with the mark.
    init(_ server: Server, _ network: (_ mark: String) throws -> any NetworkLayer) throws {
        environment = RelayEnvironment(network: try network(mark), log: { _ in })
        self.server = server
    }

    /// One exchange in the eyes of the server.
    struct Entry: Decodable {
        let method: String
        let path: String
        let status: Int
        let outcome: String
        let connection: String
        /// The number of other requests of the visit that the server had not answered when this one came.
        let beside: Int
        let headers: [String: String]
    }

    /// The entries of this visit. Waits until there is this number of entries with this outcome.
    func entries(_ count: Int = 0, _ outcome: String? = nil) async throws -> [Entry] {
        var query = ["count": String(count)]
        query["outcome"] = outcome
        return try JSONDecoder().decode([Entry].self, from: await get("/logbook/\(mark)", query))
    }

    /// Cuts the connections of this visit. `baton-mock` does so by itself, after three events of a long subscription.
    func drop() async throws {
        if server.hasLogbook { _ = try await get("/logbook/\(mark)/drop") }
    }

    /// Restarts the server, which cuts all its connections.
    func restart() async throws {
        _ = try await get("/restart")
    }

    private func get(_ path: String, _ query: [String: String] = [:]) async throws -> Data {
        let response = try await Self.reader.send(HTTPRequest(.get, server.url(path, query)))
        var body = Data()
        for try await piece in response.body { body += piece }
        return body
    }
}

/// Collects the metadata of responses.
final class MetadataRecorder: NetworkInterceptor {
    private let stream: AsyncStream<[String: String]>
    private let continuation: AsyncStream<[String: String]>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        try await next(request) { [continuation] response in
            continuation.yield(response.metadata)
            try await deliver(response)
        }
    }

    /// The collected metadata. Later responses are not collected.
    func finish() async -> [[String: String]] {
        continuation.finish()
        return await stream.reduce(into: []) { $0.append($1) }
    }
}
