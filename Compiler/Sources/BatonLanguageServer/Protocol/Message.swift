/// A message of a client.
package enum Message: Hashable, Sendable {
    case request(id: JSONValue, method: String, parameters: JSONValue)
    case notification(method: String, parameters: JSONValue)
    /// The answer to a request of the server.
    case response(id: JSONValue)

    /// Reads a message, or returns the answer to what is none.
    package static func read(_ bytes: [UInt8]) -> Result<Message, Refusal> {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            return .failure(Refusal(id: .null, error: .parse(error.message)))
        }
        guard case .object = value else {
            return .failure(Refusal(id: .null, error: .invalidRequest("a message is an object")))
        }
        let id = value["id"]
        guard let method = value["method"]?.string else {
            if let id, value["result"] != nil || value["error"] != nil { return .success(.response(id: id)) }
            return .failure(Refusal(id: id ?? .null, error: .invalidRequest("a request has a 'method'")))
        }
        let parameters = value["params"] ?? .null
        switch id {
        case nil: return .success(.notification(method: method, parameters: parameters))
        case .some(.string), .some(.integer), .some(.number):
            return .success(.request(id: id ?? .null, method: method, parameters: parameters))
        default:
            return .failure(Refusal(id: .null, error: .invalidRequest("an 'id' is a string or a number")))
        }
    }

    /// The error that answers a message which cannot be read.
    package struct Refusal: Error, Hashable, Sendable {
        package let id: JSONValue
        package let error: ResponseError
    }
}

/// Why a request has no result.
package struct ResponseError: Error, Hashable, Sendable {
    package let code: Int
    package let message: String

    package static func parse(_ message: String) -> Self { Self(code: -32700, message: message) }
    package static func invalidRequest(_ message: String) -> Self { Self(code: -32600, message: message) }
    package static func unknownMethod(_ name: String) -> Self {
        Self(code: -32601, message: "there is no method '\(name)'")
    }
    package static func invalidParameters(_ message: String) -> Self { Self(code: -32602, message: message) }
    package static let notInitialized = Self(code: -32002, message: "the server is not initialized")
    package static let cancelled = Self(code: -32800, message: "the request was cancelled")
    /// The request is well formed, and cannot be carried out.
    package static func failed(_ message: String) -> Self { Self(code: -32803, message: message) }
}
