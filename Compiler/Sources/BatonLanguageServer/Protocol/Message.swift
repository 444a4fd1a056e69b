import BatonCompiler

/// A message of a client.
package enum Message: Hashable, Sendable {
    case request(id: JSONValue, method: String, parameters: JSONValue)
    case notification(method: String, parameters: JSONValue)
    /// The answer to a request of the server.
    case response(id: JSONValue)

    /// Reads a message; returns a refusal if the bytes are no message.
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

    /// The response to bytes that cannot be read as a message.
    package struct Refusal: Error, Hashable, Sendable {
        package let id: JSONValue
        package let error: ResponseError
    }
}
