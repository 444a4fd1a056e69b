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
            throw HTTPError.offline(reason: "the network cannot be reached")
        case .refuses:
            return NetworkResponse(body: Array(#"{"data": null, "errors": [{"message": "closed"}]}"#.utf8))
        case .broken:
            return NetworkResponse(body: Array("[]".utf8))
        case .cancelled:
            throw RelayError.cancelled
        }
    }
}
