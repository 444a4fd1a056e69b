import Baton

/// One recorded request and what came back.
struct FixtureExchange: Sendable, Equatable {
    /// What requests are matched by. Headers, ids and texts do not count.
    struct Key: Sendable, Hashable {
        let kind: OperationKind
        let operationName: String
        let variables: JSONValue

        init(_ request: NetworkRequest) {
            self.init(kind: request.kind, operationName: request.operationName, variables: .object(request.variables))
        }

        init(kind: OperationKind, operationName: String, variables: JSONValue) {
            self.kind = kind
            self.operationName = operationName
            self.variables = variables
        }
    }

    /// One thing that happens in an exchange.
    enum Step: Sendable, Equatable {
        case response([UInt8], hasNext: Bool)
        /// Wait for the time; without one, for the test.
        case pause(Duration?)
        case failure(FixtureFailure)
        /// The exchange does not end by itself.
        case open
    }

    let key: Key
    var steps: [Step] = []
}

/// An error of an exchange, as it can stand in a file.
enum FixtureFailure: Sendable, Equatable {
    case httpStatus(Int, String)
    case contentType(String?, String)
    case noResponse
    case timedOut
    case cancelled
    /// Any other error, by its description.
    case transport(String)

    init(_ error: any Error) {
        self =
            switch (error as? RelayError)?.reason {
            case .httpStatus(let status, let body, _): .httpStatus(status, body)
            case .contentType(let type, let body): .contentType(type, body)
            case .noResponse: .noResponse
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .transport(let error): .transport(String(describing: error))
            case nil where error is CancellationError: .cancelled
            default: .transport(String(describing: error))
            }
    }

    var error: RelayError {
        switch self {
        case .httpStatus(let status, let body): .httpStatus(status, body: body)
        case .contentType(let type, let body): .contentType(type, body: body)
        case .noResponse: .noResponse
        case .timedOut: .timedOut(after: .zero)
        case .cancelled: .cancelled
        case .transport(let text): .transport(FixtureError.recorded(text))
        }
    }
}
