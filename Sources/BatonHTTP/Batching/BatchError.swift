public import Baton

/// The reason why the response to a batch of requests could not be divided; `RelayError.transport` holds it.
public enum BatchError: Error, Sendable, Hashable {
    /// The server did not answer with a JSON array.
    case notAnArray
    /// The array has another number of responses than there were requests.
    case wrongCount(requests: Int, responses: Int)
    /// The response is not JSON.
    case notJSON(JSONValue.ParseError)
}

extension BatchError: TransportError, CustomStringConvertible {
    /// A sentence about the error.
    public var description: String {
        switch self {
        case .notAnArray: "the server answered several requests in one with something else than a list"
        case .wrongCount(let requests, let responses):
            "the server gave \(responses) responses to \(requests) requests in one"
        case .notJSON(let error): "the response to several requests in one is not JSON: \(error)"
        }
    }

    public var outcome: String { "The response cannot be used" }

    /// A response came, and it is wrong.
    public var kind: RelayError.Kind { .data }

    /// A sentence about how to correct the error.
    public var advice: String {
        switch self {
        case .notAnArray: "Let the server accept lists of requests, or leave the 'BatchingNetwork' out."
        case .wrongCount: "Check the server; each request in a list must have a response."
        case .notJSON: "Check that nothing on the way cuts or changes responses."
        }
    }
}
