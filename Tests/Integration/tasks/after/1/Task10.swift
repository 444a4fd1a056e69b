import Baton
import BatonHTTP

struct Outage: NetworkLayer {
    enum Kind {
        case unreachable, refuses, broken, cancelled
    }

    private let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        throw failure
    }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let error = failure
        return AsyncThrowingStream<NetworkResponse, any Error> { continuation in
            continuation.finish(throwing: error)
        }
    }

    private var failure: RelayError {
        switch kind {
        case .unreachable:
            .transport(HTTPError.offline(reason: "the network cannot be reached"))
        case .refuses:
            .noData([GraphQLError(message: "closed")])
        case .broken:
            .invalidResponse(RelayError.InvalidResponse(.unexpectedValue(expected: "an object", found: "a string")))
        case .cancelled:
            .cancelled
        }
    }
}
