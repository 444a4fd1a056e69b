import Baton
import BatonHTTP

struct Outage: NetworkLayer {
    enum Kind: Sendable {
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
        let failure = failure
        return AsyncThrowingStream { continuation in
            continuation.finish(throwing: failure)
        }
    }

    private var failure: RelayError {
        switch kind {
        case .unreachable:
            return .transport(HTTPError.offline(reason: "the network could not be reached"))
        case .refuses:
            return .noData([GraphQLError(message: "closed")])
        case .broken:
            return .invalidResponse(RelayError.InvalidResponse(.notAResponse))
        case .cancelled:
            return .cancelled
        }
    }
}
