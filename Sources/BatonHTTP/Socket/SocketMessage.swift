import Baton

/// One message from the server, in either subprotocol. Payloads are bytes of the message, not trees.
enum SocketMessage: Equatable {
    case acknowledgement
    /// The older protocol's `connection_error`, with its message.
    case refusal(String)
    case ping(payload: [UInt8]?)
    case pong
    /// The older protocol's `ka`.
    case keepAlive
    /// `next`, or `data`: a GraphQL response.
    case response(id: String, body: [UInt8])
    /// `error`: the operation ends with this GraphQL response, which has only `errors`.
    case failure(id: String, body: [UInt8])
    case completion(id: String)
    /// A message of a type that readers of the older protocol ignore.
    case other

    /// A message that breaks the protocol. The text explains the defect without quoting the message.
    struct Invalid: Error, Equatable {
        let what: String
    }

    /// Reads a message. Its members may come in any order.
    init(_ bytes: [UInt8], _ subprotocol: WebSocketOptions.Subprotocol) throws(Invalid) {
        let envelope = try Envelope(bytes)
        let type = try envelope.type
        switch (type, subprotocol) {
        case ("connection_ack", _): self = .acknowledgement
        case ("complete", _): self = .completion(id: try envelope.id)
        case ("ping", .graphqlTransportWS): self = .ping(payload: envelope.payload)
        case ("pong", .graphqlTransportWS): self = .pong
        case ("next", .graphqlTransportWS), ("data", .graphqlWS):
            self = .response(id: try envelope.id, body: try envelope.payload(of: type, startingWith: "{"))
        case ("error", .graphqlTransportWS):
            let errors = try envelope.payload(of: type, startingWith: "[")
            self = .failure(id: try envelope.id, body: Self.response(errors: errors))
        case ("error", .graphqlWS):
            self = .failure(id: try envelope.id, body: Self.response(errors: envelope.errorsOfOlderProtocol))
        case ("ka", .graphqlWS): self = .keepAlive
        case ("connection_error", .graphqlWS): self = .refusal(envelope.message)
        case (_, .graphqlWS): self = .other
        case (_, .graphqlTransportWS): throw Invalid(what: "its type is unknown")
        }
    }

    private static func response(errors: [UInt8]) -> [UInt8] { Array(#"{"errors":"#.utf8) + errors + [0x7D] }
}

/// The members of a message. The whole text is checked, so a payload is JSON.
private struct Envelope {
    private let bytes: [UInt8]
    private let members: [String: Range<Int>]

    init(_ bytes: [UInt8]) throws(SocketMessage.Invalid) {
        do {
            guard let members = try JSONValue.members(of: bytes) else {
                throw SocketMessage.Invalid(what: "it is no object")
            }
            self.bytes = bytes
            self.members = members
        } catch let error as JSONValue.ParseError {
            throw SocketMessage.Invalid(what: "it is not JSON, \(error)")
        } catch {
            throw SocketMessage.Invalid(what: "it is no object")
        }
    }

    var type: String {
        get throws(SocketMessage.Invalid) {
            guard case .string(let type)? = value("type") else { throw SocketMessage.Invalid(what: "it has no type") }
            return type
        }
    }

    /// The id of the operation. A number counts as text, because some servers of the older protocol send numbers.
    var id: String {
        get throws(SocketMessage.Invalid) {
            switch value("id") {
            case .string(let id): return id
            case .int(let id): return String(id)
            default: throw SocketMessage.Invalid(what: "it has no id")
            }
        }
    }

    /// The payload; nil if it is missing or null.
    var payload: [UInt8]? {
        guard let range = members["payload"] else { return nil }
        let payload = bytes[range]
        return payload.first == UInt8(ascii: "n") ? nil : Array(payload)
    }

    func payload(of type: String, startingWith first: Unicode.Scalar) throws(SocketMessage.Invalid) -> [UInt8] {
        guard let payload, payload.first == UInt8(ascii: first) else {
            throw SocketMessage.Invalid(what: "a message of type '\(type)' has a payload of another form")
        }
        return payload
    }

    /// The errors as a list. Servers send one error, several errors, or a text.
    var errorsOfOlderProtocol: [UInt8] {
        let unknown = Array(#"[{"message":"The server gave no reason."}]"#.utf8)
        guard let payload else { return unknown }
        switch payload.first {
        case UInt8(ascii: "["): return payload
        case UInt8(ascii: "{"): return [0x5B] + payload + [0x5D]
        case UInt8(ascii: "\""): return Array(#"[{"message":"#.utf8) + payload + Array("}]".utf8)
        default: return unknown
        }
    }

    /// The message in a payload, which is a text or an object with `message`. Empty for other payloads.
    var message: String {
        guard let payload, let value = try? JSONValue.parse(payload) else { return "" }
        switch value {
        case .string(let text): return text.beginning
        case .object:
            if case .string(let text)? = value["message"] { return text.beginning }
            return ""
        default: return ""
        }
    }

    private func value(_ name: String) -> JSONValue? {
        guard let range = members[name], range.count <= 256 else { return nil }
        return try? JSONValue.parse(Array(bytes[range]))
    }
}

extension String {
    /// The longest prefix of whole characters that fits into a close frame.
    var beginning: String {
        if utf8.count <= 123 { return self }
        return (120...123).reversed().lazy.compactMap { String(utf8.prefix($0)) }.first ?? ""
    }
}
