import Baton

// The handling of the server's messages.
//
// graphql-transport-ws: https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md
// graphql-ws: https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md
extension SocketMachine {
    mutating func received(_ bytes: [UInt8]) {
        guard let link, link.stage != .connecting, link.isReading else { return }
        self.link?.isReading = false
        guard bytes.count <= options.maximumMessageSize else {
            return fail(.messageTooLarge(limit: options.maximumMessageSize), code: 1009)
        }
        heard()
        do {
            let message = try SocketMessage(bytes, link.subprotocol)
            try take(message, isReady: link.stage == .ready)
        } catch {
            // The older protocol has no close codes of its own.
            let code = link.subprotocol == .graphqlTransportWS ? 4400 : 1002
            fail(.invalidMessage(error.what), code: code)
        }
    }

    /// Handles a message. A message for an unknown operation is ignored, because it may have crossed the message that
    /// ended the operation.
    private mutating func take(_ message: SocketMessage, isReady: Bool) throws(SocketMessage.Invalid) {
        switch message {
        case .acknowledgement: acknowledged()
        case .refusal(let text): fail(.refused(text), code: 1000)
        case .ping(let payload): send(SocketText.pong(payload))
        case .pong: break
        case .keepAlive: expectMessages()
        case .other: break
        case .response, .failure, .completion:
            guard isReady else { throw SocketMessage.Invalid(what: "it came before the acknowledgement") }
            attempts = 0
            cancelTimer(.settling)
            takeResponse(message)
        }
    }

    private mutating func takeResponse(_ message: SocketMessage) {
        switch message {
        case .response(let name, let body):
            guard let id = Int(name) else { return }
            if let operation = operations[id] {
                respond(id, operation.kind, body)
            } else if link?.answered.remove(id) != nil {
                stopDelivered(id)
            }
        case .failure(let name, let body):
            guard let id = Int(name) else { return }
            link?.answered.remove(id)
            deliver(id, body, hasNext: false)
            end(id, nil)
        case .completion(let name):
            guard let id = Int(name) else { return }
            link?.answered.remove(id)
            end(id, operations[id]?.closedEarly)
        default: break
        }
    }

    /// Handles a response. The last response of a query or mutation ends the operation, before the server's message of
    /// completion.
    private mutating func respond(_ id: Int, _ kind: OperationKind, _ body: [UInt8]) {
        let hasNext = kind == .subscription || Self.announcesMore(body)
        deliver(id, body, hasNext: hasNext)
        guard !hasNext else { return }
        end(id, nil)
        if (link?.answered.count ?? 0) < Self.maximumDelivered {
            link?.answered.insert(id)
        } else {
            stopDelivered(id)
        }
    }

    /// Tells the server that no consumer wants more responses of an operation.
    private mutating func stopDelivered(_ id: Int) {
        guard let link else { return }
        send(SocketText.stop(id, link.subprotocol))
    }

    /// Whether an incremental response announces further parts.
    private static func announcesMore(_ body: [UInt8]) -> Bool {
        guard body.count > 16, let range = try? JSONValue.members(of: body)?["hasNext"] else { return false }
        return body[range].elementsEqual("true".utf8)
    }
}
