package import Baton

/// One recorded request and what came back.
package struct FixtureExchange: Sendable, Equatable {
    /// What requests are matched by. Headers, ids and texts do not count.
    package struct Key: Sendable, Hashable {
        package let kind: OperationKind
        /// The name; empty for an operation without one.
        package let operationName: String
        package let variables: JSONValue

        init(_ request: NetworkRequest) {
            self.init(kind: request.kind, operationName: request.operationName, variables: .object(request.variables))
        }

        package init(kind: OperationKind, operationName: String, variables: JSONValue) {
            self.kind = kind
            self.operationName = operationName
            self.variables = variables
        }
    }

    /// One thing that happens in an exchange.
    package enum Step: Sendable, Equatable {
        case response([UInt8], hasNext: Bool)
        /// Wait for the time; without one, for the test.
        case pause(Duration?)
        case failure(FixtureFailure)
        /// The exchange does not end by itself.
        case open
    }

    package let key: Key
    package var steps: [Step]
    /// The text of the operation, if it was recorded.
    package var document: String?

    package init(key: Key, steps: [Step] = [], document: String? = nil) {
        self.key = key
        self.steps = steps
        self.document = document
    }
}

/// An error of an exchange, as it can stand in a file.
package enum FixtureFailure: Sendable, Equatable {
    case httpStatus(Int, String)
    case contentType(String?, String)
    case noResponse
    case timedOut
    case cancelled
    /// Any other error, by its description.
    case transport(String)

    package init(_ error: any Error) {
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
