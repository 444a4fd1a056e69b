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
        switch kind {
        case .unreachable:
            throw RelayError.transport(HTTPError.offline(reason: "the network could not be reached"))
        case .refuses:
            return NetworkResponse(body: Array(#"{"errors":[{"message":"closed"}],"data":null}"#.utf8))
        case .broken:
            return NetworkResponse(body: Array("<html>This is not an answer of GraphQL.</html>".utf8))
        case .cancelled:
            throw RelayError.cancelled
        }
    }
}
