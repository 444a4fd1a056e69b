/// Reads the requests of one connection, one after the other, and has each answered.
struct ClientSession {
    private let connection: Connection
    private let responder: Responder
    private let limits: MockServer.Limits
    private var parser: RequestParser

    init(_ connection: Connection, _ responder: Responder, _ limits: MockServer.Limits) {
        self.connection = connection
        self.responder = responder
        self.limits = limits
        parser = RequestParser(limits.request, responder.executor.budget)
    }

    /// Serves the client until it goes, or until one of its requests ends the connection.
    mutating func run() {
        do throws(HTTPProblem) {
            while let request = try nextRequest() {
                switch responder.answer(request, on: connection) {
                case .keep: parser.release()
                case .close: return connection.finish()
                case .drop: return
                case .webSocket(let session): return session.serve(connection, first: parser.takeRest(), limits)
                }
            }
        } catch {
            responder.log.note(refusal: error)
            if connection.send(error.response.bytes(keepsConnection: false)) { connection.finish() }
        }
    }

    /// The next request; nil if the client is gone, or silent for too long.
    private mutating func nextRequest() throws(HTTPProblem) -> ReceivedRequest? {
        var end = Uptime.milliseconds + limits.idleMilliseconds
        var hasBegun = false
        while true {
            switch try parser.next() {
            case .request(let request): return request
            case .expectsContinue:
                guard connection.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
                continue
            case nil: break
            }
            if !hasBegun, !parser.isIdle {
                hasBegun = true
                end = Uptime.milliseconds + limits.requestMilliseconds
            }
            switch connection.receive(within: end - Uptime.milliseconds) {
            case .bytes(let bytes): parser.append(bytes)
            case .end: return nil
            case .nothing:
                guard hasBegun else { return nil }
                throw HTTPProblem(408, "The request did not end within \(limits.requestMilliseconds / 1_000) seconds.")
            }
        }
    }
}
