import Baton
import BatonHTTP

struct Outage: NetworkLayer {
    enum Kind {
        case unreachable, refuses, broken, cancelled
    }

    private let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        switch kind {
        case .unreachable: throw HTTPError.offline(reason: "the network could not be reached")
        case .refuses: throw RelayError.noData([GraphQLError(message: "closed")])
        case .broken: throw RelayError.invalidResponse(RelayError.InvalidResponse(.notAResponse))
        case .cancelled: throw RelayError.cancelled
        }
    }
}
