import Baton

extension RelayError {
    /// The kind of the error, without any text of a server.
    var kind: String {
        switch self {
        case .transport: "transport"
        case .httpStatus(let status, _, _): "status \(status)"
        case .contentType: "content type"
        case .invalidResponse: "invalid response"
        case .noData, .hasErrors: "errors"
        case .noResponse: "no response"
        case .timedOut: "timed out"
        case .configuration: "configuration"
        case .cancelled: "cancelled"
        case .resultTooLarge: "result too large"
        default: "data"
        }
    }
}

extension Duration {
    /// The nanoseconds, for a timer.
    var nanoseconds: Int64 {
        let nanoseconds = self / .nanoseconds(1)
        return nanoseconds < 9e18 ? Int64(max(nanoseconds, 0)) : .max
    }
}
