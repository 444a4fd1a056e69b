public import Baton

/// An event of one request, for a log.
public struct NetworkEvent: Sendable {
    /// The kinds of events, with their details.
    public enum Kind: Sendable, Equatable {
        /// The request was passed on.
        case began
        /// A response came; `status` is nil for transports without one.
        case response(status: Int?, bytes: Int, hasNext: Bool)
        /// The request is sent again after the delay; the number counts from 1.
        case retry(Int, after: Duration, because: RelayError)
        /// The request is over; the counts are those of all its responses.
        case ended(RequestEnd, responses: Int, bytes: Int)
    }

    /// The number of the request in its environment.
    public let requestID: Int
    /// The operation's name.
    public let operationName: String
    /// Query, mutation or subscription.
    public let operationKind: OperationKind
    /// The kind of the event, with its details.
    public let kind: Kind
    /// The time since the request began.
    public let time: Duration
    /// The variables, as far as the logging interceptor shows them: a name alone, or a name and a value.
    public let variables: [String]
    /// The headers that the logging interceptor shows.
    public let headers: [String: String]
}

extension NetworkEvent: CustomStringConvertible {
    /// One line for a person. The line shows only what the interceptor was told to show, and no text of the server.
    public var description: String {
        let request = "#\(requestID) \(operationKind) \(operationName)"
        switch kind {
        case .began:
            var text = request
            if !variables.isEmpty { text += " (\(variables.joined(separator: ", ")))" }
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += " \(name): \(value)" }
            return text
        case .response(let status, let bytes, let hasNext):
            let status = status.map { "\($0), " } ?? ""
            return "\(request): \(status)\(bytes) bytes after \(time)\(hasNext ? ", more follows" : "")"
        case .retry(let number, let delay, let error):
            return "\(request): retry \(number) in \(delay), because of \(error.safeName)"
        case .ended(let outcome, let responses, let bytes):
            let end = outcome.failureName ?? "done"
            return "\(request): \(end) after \(time), \(responses) responses, \(bytes) bytes"
        }
    }
}
