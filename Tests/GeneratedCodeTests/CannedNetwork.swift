import Baton
import Synchronization

/// A network that gives every request the same body, until the test chooses another one. It keeps the requests.
final class CannedNetwork: NetworkLayer {
    private let body: Mutex<[UInt8]>
    private let requests = Mutex<[NetworkRequest]>([])

    init(_ body: String) {
        self.body = Mutex(Array(body.utf8))
    }

    /// Sets the body of the following answers.
    func answer(_ body: String) { answer(bytes: Array(body.utf8)) }

    /// Sets the bytes of the following answers.
    func answer(bytes: [UInt8]) { body.withLock { $0 = bytes } }

    var requestCount: Int { requests.withLock { $0.count } }
    var lastRequest: NetworkRequest? { requests.withLock { $0.last } }

    /// The variables of the last request, as JSON.
    var variables: JSONValue? { requests.withLock { $0.last.map { .object($0.variables) } } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        requests.withLock { $0.append(request) }
        return NetworkResponse(body: body.withLock { $0 })
    }
}

/// Fetches a query from a canned answer, through a real store.
func answer<Query: GraphQLQuery>(
    _ query: Query,
    _ body: String
) async throws -> (data: Query.Data, environment: RelayEnvironment)
where Query.ResponseFormat == GeneratedCode.SingleResponse {
    let environment = RelayEnvironment(network: CannedNetwork(body))
    let response = try await environment.fetch(query)
    guard let data = response.data else { throw NoData(errors: response.errors) }
    return (data, environment)
}

struct NoData: Error {
    let errors: [GraphQLError]
}
