import Baton

/// An error of this module that has a description without texts of the server.
protocol QuietError: Error {
    /// The description of the error without texts of the server, which may repeat variables.
    var quietDescription: String { get }
}

extension HTTPError: QuietError {
    var quietDescription: String {
        switch self {
        case .charset: "the response is not written in UTF-8"
        case .redirectRefused(let status, _): "a redirect with status \(status), where the request must not follow"
        default: description
        }
    }
}

extension RelayError.StreamError: QuietError {
    var quietDescription: String {
        switch self {
        case .refused: "the server ended the stream with an error"
        case .malformedPart(let number, _): "part \(number) of the response is not JSON"
        default: description
        }
    }
}

extension WebSocketError: QuietError {
    var quietDescription: String {
        switch self {
        case .closed(let code, _): WebSocketError.closed(code: code, reason: "").description
        case .refused: WebSocketError.refused("").description
        case .unknownSubprotocol: "the server chose no subprotocol that was offered"
        case .outcomeUnknown: "the mutation was sent, and it is unknown whether it was carried out"
        default: description
        }
    }
}

extension BatchError: QuietError {
    var quietDescription: String {
        if case .notJSON = self { "the response to several requests in one is not JSON" } else { description }
    }
}
