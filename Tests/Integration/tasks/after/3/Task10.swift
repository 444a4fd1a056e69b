import Baton
import BatonHTTP

struct Outage: NetworkLayer {
    enum Kind { case unreachable, refuses, broken, cancelled }

    private let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        throw failure
    }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let failure = self.failure
        return AsyncThrowingStream { continuation in continuation.finish(throwing: failure) }
    }

    private var failure: any Error {
        switch kind {
        case .unreachable: return HTTPError.offline(reason: "the network cannot be reached")
        case .refuses: return RelayError.noData([GraphQLError(message: "closed")])
        case .broken: return RelayError.invalidResponse(RelayError.InvalidResponse(.notAResponse))
        case .cancelled: return RelayError.cancelled
        }
    }
}
