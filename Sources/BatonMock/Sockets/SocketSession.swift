import Baton
import BatonHTTP

/// Serves one WebSocket: reads the client's messages, and sends those of its operations when they are due.
///
/// State: belongs to the thread of the connection.
final class SocketSession {
    /// A reason to close, with its code.
    struct Close: Error, Equatable {
        let code: Int
        let reason: String

        init(_ code: Int, _ reason: String) {
            self.code = code
            self.reason = reason
        }
    }

    /// How much one client may have under way.
    static let mostOperations = 256
    static let mostText = 256 << 10

    private let subprotocol: WebSocketOptions.Subprotocol
    private let conduct: Conduct
    /// The header fields of the handshake.
    private let headers: HTTPHeaders
    private let responder: Responder
    private var reader = WebSocketReader(maximumMessageSize: mostText, expectsMasks: true)
    private var operations: [String: SocketOperation] = [:]
    private var heldText = 0
    private var isAcknowledged = false
    private var lastHeard = Uptime.milliseconds
    private var lastPing = Uptime.milliseconds
    private let start = Uptime.milliseconds

    init(
        _ subprotocol: WebSocketOptions.Subprotocol, _ conduct: Conduct, _ headers: HTTPHeaders, _ responder: Responder
    ) {
        self.headers = headers
        self.subprotocol = subprotocol
        self.conduct = conduct
        self.responder = responder
    }

    /// Serves the client until one of the two closes the connection.
    func serve(_ connection: Connection, first bytes: [UInt8], _ limits: MockServer.Limits) {
        reader.append(bytes)
        do throws(Close) {
            while try readMessages(connection), try sendDue(connection), try watch(connection, limits) {
                switch connection.receive(within: min(untilDue, 1_000)) {
                case .bytes(let bytes):
                    lastHeard = Uptime.milliseconds
                    reader.append(bytes)
                case .end: return noteAll()
                case .nothing: break
                }
            }
        } catch {
            if connection.send(WebSocketFrame.close(error.code, error.reason, mask: nil)) { connection.finish() }
        }
        noteAll()
    }

    private func noteAll() {
        for operation in operations.values {
            operation.leave()
            responder.log.note(operation.measure.entry(status: 101))
        }
        operations = [:]
    }

    private var untilDue: Int {
        let now = Uptime.milliseconds
        return max(operations.values.map { $0.due - now }.min() ?? 1_000, 0)
    }

    /// Notices a client that says nothing; false if it is gone.
    private func watch(_ connection: Connection, _ limits: MockServer.Limits) throws(Close) -> Bool {
        let now = Uptime.milliseconds
        guard isAcknowledged || now - start < limits.greetingMilliseconds else {
            throw Close(4408, "Connection initialisation timeout")
        }
        guard now - lastHeard < limits.silenceMilliseconds else { throw Close(1001, "Nothing answers the pings.") }
        guard now - lastPing >= limits.silenceMilliseconds / 3 else { return true }
        lastPing = now
        if subprotocol == .graphqlWS, !send(["type": "ka"], connection) { return false }
        return connection.send(WebSocketFrame.bytes(.ping, [], mask: nil))
    }

    // MARK: - The client's messages

    private func readMessages(_ connection: Connection) throws(Close) -> Bool {
        while let event = try nextEvent() {
            switch event {
            case .text(let bytes): guard try take(bytes, connection) else { return false }
            case .binary: throw Close(4400, "Messages are texts.")
            case .ping(let bytes):
                guard connection.send(WebSocketFrame.bytes(.pong, bytes, mask: nil)) else { return false }
            case .pong: break
            case .close(let code, _):
                _ = connection.send(WebSocketFrame.close(code == 1005 ? 1000 : code, "", mask: nil))
                connection.finish()
                return false
            }
        }
        return true
    }

    private func nextEvent() throws(Close) -> WebSocketReader.Event? {
        do throws(WebSocketReader.Breach) {
            return try reader.next()
        } catch {
            throw Close(error.code, "A frame was refused: \(error.what).")
        }
    }

    /// Obeys one message; false if the client is gone.
    private func take(_ bytes: [UInt8], _ connection: Connection) throws(Close) -> Bool {
        guard let message = try? JSONValue.parse(bytes), let type = message["type"]?.stringValue else {
            throw Close(4400, "A message is a JSON object with a 'type'.")
        }
        switch (subprotocol, type) {
        case (_, "connection_init"): return try acknowledge(connection)
        case (.graphqlTransportWS, "ping"): return send(["type": "pong"], connection)
        case (.graphqlTransportWS, "pong"): return true
        case (.graphqlTransportWS, "subscribe"), (.graphqlWS, "start"): try begin(message)
        case (.graphqlTransportWS, "complete"), (.graphqlWS, "stop"): end(message["id"]?.stringValue ?? "")
        case (.graphqlWS, "connection_terminate"): throw Close(1000, "")
        default: throw Close(4400, "This protocol has no such message.")
        }
        return true
    }

    private func acknowledge(_ connection: Connection) throws(Close) -> Bool {
        guard !isAcknowledged else { throw Close(4429, "Too many initialisation requests") }
        isAcknowledged = true
        guard send(["type": "connection_ack"], connection) else { return false }
        return subprotocol == .graphqlTransportWS || send(["type": "ka"], connection)
    }

    private func begin(_ message: JSONValue) throws(Close) {
        guard isAcknowledged else { throw Close(4401, "Unauthorized") }
        guard let id = message["id"]?.stringValue, !id.isEmpty, id.utf8.count <= 256 else {
            throw Close(4400, "An operation has an 'id' of 1 to 256 bytes.")
        }
        guard operations[id] == nil else {
            let shown = String(id.prefix(40))
            throw Close(4409, "Subscriber for \(shown) already exists")
        }
        guard operations.count < Self.mostOperations else {
            throw Close(4429, "A connection has at most \(Self.mostOperations) operations.")
        }
        let call: GraphQLCall
        do throws(HTTPProblem) {
            call = try GraphQLCall(message["payload"] ?? .null, responder.documents)
        } catch {
            throw Close(4400, error.message)
        }
        let operation = SocketOperation(id, call, conduct, headers, responder)
        guard heldText + operation.size <= Self.mostText else {
            throw Close(4413, "The operations of a connection have at most \(Self.mostText) bytes.")
        }
        heldText += operation.size
        operations[id] = operation
    }

    private func end(_ id: String) {
        guard let operation = operations.removeValue(forKey: id) else { return }
        heldText -= operation.size
        operation.leave()
        responder.log.note(operation.measure.entry(status: 101))
    }

    // MARK: - The server's messages

    /// Sends what is due; false if the client is gone, or wanted to be cut off.
    private func sendDue(_ connection: Connection) throws(Close) -> Bool {
        let now = Uptime.milliseconds
        for id in operations.filter({ $0.value.due <= now }).sorted(by: { $0.value.due < $1.value.due }).map(\.key) {
            switch operations[id]?.next(responder) {
            case nil, .waiting: break
            case .drop: return false
            case .end:
                end(id)
                guard send(["id": .string(id), "type": "complete"], connection) else { return false }
            case .refused(let payload):
                let errors = payload.errors
                let told = subprotocol == .graphqlTransportWS ? errors : errors[0] ?? errors
                end(id)
                guard send(["id": .string(id), "type": "error", "payload": told], connection) else { return false }
            case .message(let payload, let isLast):
                guard send(payload, of: id, connection) else { return false }
                if isLast {
                    end(id)
                    guard send(["id": .string(id), "type": "complete"], connection) else { return false }
                }
            }
        }
        return true
    }

    private func send(_ payload: Payload, of id: String, _ connection: Connection) -> Bool {
        let type = subprotocol == .graphqlTransportWS ? "next" : "data"
        let head = #"{"id":\#(JSONValue.string(id).text),"type":"\#(type)","payload":"#
        return connection.send(
            WebSocketFrame.bytes(.text, Array(head.utf8) + payload.bytes + Array("}".utf8), mask: nil))
    }

    private func send(_ message: JSONValue, _ connection: Connection) -> Bool {
        connection.send(WebSocketFrame.bytes(.text, message.jsonBytes, mask: nil))
    }
}
