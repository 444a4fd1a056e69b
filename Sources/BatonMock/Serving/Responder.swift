import Baton
import BatonHTTP
import BatonTesting

/// Decides what answers a request: a page, an answer of the world, or a stream.
///
final class Responder: Sendable {
    /// What becomes of the connection.
    enum Outcome {
        case keep
        case close
        /// The client is gone, or wanted to be cut off.
        case drop
        case webSocket(SocketSession)
    }

    /// What the page says of the server.
    struct Facts: Sendable {
        /// The name of the schema.
        var schema = "the schema"
        var seed: UInt64 = 1
        /// The path of the endpoint.
        var path = "/graphql"
        /// The pause between two events of a subscription.
        var eventMilliseconds = 1_000
        /// Where recorded answers come from; nil if the data are made up.
        var recording: String?
    }

    let executor: Executor
    let log = RequestLog()
    let rules = ConductRules()
    let notices: Notices
    /// Nil if all answers are made up.
    let recorder: Recorder?
    let documents: KnownDocuments
    let facts: Facts

    init(
        _ world: World?, _ facts: Facts = Facts(), documents: KnownDocuments = KnownDocuments(),
        notices: Notices = Notices(), recorder: Recorder? = nil
    ) {
        executor = Executor(world)
        self.documents = documents
        self.facts = facts
        self.notices = notices
        self.recorder = recorder
    }

    /// The operation that a call asks for; nil if it cannot be executed.
    func operation(of call: GraphQLCall) -> World.ServedOperation? {
        if let operation = executor.operation(call) { return operation }
        // A real server may know more than the schema that is here.
        return recorder == nil ? nil : World.ServedOperation(in: call.text, named: call.operationName)
    }

    /// The variables of a call as the page may show them.
    func shownVariables(of call: GraphQLCall) -> JSONValue {
        recorder.map { $0.secrets.request(call).variables } ?? call.variables
    }

    // MARK: - Requests

    /// Answers one request.
    func answer(_ request: ReceivedRequest, on connection: Connection) -> Outcome {
        do throws(HTTPProblem) {
            return try route(request, connection)
        } catch {
            if error.status != 200 { log.note(refusal: error) }
            return send(error.response, request, connection)
        }
    }

    private func route(_ request: ReceivedRequest, _ connection: Connection) throws(HTTPProblem) -> Outcome {
        switch request.path {
        // The endpoint may be at the root.
        case facts.path: return try endpoint(request, connection)
        case "/":
            try Self.allow(["GET", "HEAD"], request)
            let html = StatusPage.html(facts, log, rules: rules.count, notices.texts)
            return send(MockResponse(type: "text/html; charset=utf-8", Array(html.utf8)), request, connection)
        case "/health":
            try Self.allow(["GET", "HEAD"], request)
            return send(MockResponse(json: ["status": "ok"]), request, connection)
        default:
            throw HTTPProblem(404, "There is nothing at this path. Operations go to \(facts.path).")
        }
    }

    private static func allow(_ methods: [String], _ request: ReceivedRequest) throws(HTTPProblem) {
        guard methods.contains(request.method) else {
            let list = methods.joined(separator: ", ")
            throw HTTPProblem(405, "This path has the methods \(list).", headers: ["Allow": list])
        }
    }

    private func send(_ response: MockResponse, _ request: ReceivedRequest, _ connection: Connection) -> Outcome {
        let keeps = request.keepsConnection
        let bytes = response.bytes(keepsConnection: keeps, isHead: request.method == "HEAD")
        guard connection.send(bytes) else { return .drop }
        return keeps ? .keep : .close
    }

    // MARK: - Operations

    private func endpoint(_ request: ReceivedRequest, _ connection: Connection) throws(HTTPProblem) -> Outcome {
        try Self.allow(["GET", "POST", "OPTIONS"], request)
        if request.method == "OPTIONS" { return preflight(request, connection) }
        let conduct = try Conduct(request.headers)
        if SocketHandshake.isWanted(by: request) {
            let handshake = try SocketHandshake(request)
            guard connection.send(handshake.response) else { return .drop }
            return .webSocket(SocketSession(handshake.subprotocol, conduct, request.headers, self))
        }
        let isGET = request.method == "GET"
        guard recorder?.isRecording != true || !GraphQLCall.isForm(request) else {
            throw HTTPProblem(501, "Files are not passed on to the server that is recorded.")
        }
        let (calls, isArray) =
            try isGET
            ? (calls: [GraphQLCall(parametersOf: request, documents)], isArray: false)
            : GraphQLCall.read(bodyOf: request, documents)
        if isArray {
            return TogetherExchange(calls: calls, conduct: conduct, request: request, connection: connection).run(self)
        }
        let call = calls[0]
        let operation = operation(of: call)
        if isGET, operation?.kind == .mutation {
            throw HTTPProblem(405, "A mutation is sent with POST.", headers: ["Allow": "POST"])
        }
        let accepted = AcceptedTypes(request.headers["Accept"])
        // What is wrong with an operation is told in one piece, or as a stream if the client accepts nothing else.
        guard let delivery = Delivery.choose(for: operation?.kind ?? .query, accepted) else {
            throw HTTPProblem(
                406,
                operation?.kind == .subscription
                    ? "A subscription needs 'Accept: text/event-stream', 'Accept: multipart/mixed' or a WebSocket."
                    : "This server sends application/json, multipart/mixed and text/event-stream.")
        }
        var exchange = Exchange(
            call, operation, rules.complete(conduct, for: call, operation), delivery,
            wholeType: Delivery.wholeType(accepted), request, connection, self)
        return exchange.run()
    }

    /// Lets pages of other origins send what they like.
    private func preflight(_ request: ReceivedRequest, _ connection: Connection) -> Outcome {
        var response = MockResponse(status: 204, type: "text/plain", [])
        response.headers = [
            "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
            "Access-Control-Allow-Headers": request.headers["Access-Control-Request-Headers"] ?? "*",
            "Access-Control-Max-Age": "600", "Allow": "GET, POST, OPTIONS",
        ]
        return send(response, request, connection)
    }
}
