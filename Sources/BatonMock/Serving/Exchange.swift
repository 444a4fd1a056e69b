import Baton
import BatonTesting

/// Executes one operation over HTTP, and sends its answer.
struct Exchange {
    let call: GraphQLCall
    let kind: OperationKind
    let conduct: Conduct
    let delivery: Delivery
    /// The type of an answer in one piece.
    private let wholeType: String
    let request: ReceivedRequest
    let connection: Connection
    let responder: Responder
    var measure: RequestMeasure
    var status = 200
    private let operation: World.ServedOperation?

    /// The time after which a silent stream sends a sign of life.
    static let heartbeatMilliseconds = 10_000

    init(
        _ call: GraphQLCall, _ operation: World.ServedOperation?, _ conduct: Conduct, _ delivery: Delivery,
        wholeType: String, _ request: ReceivedRequest, _ connection: Connection, _ responder: Responder
    ) {
        self.call = call
        kind = operation?.kind ?? .query
        self.operation = operation
        self.conduct = conduct
        self.delivery = delivery
        self.wholeType = wholeType
        self.request = request
        self.connection = connection
        self.responder = responder
        measure = RequestMeasure(request.method, call, operation, responder)
    }

    mutating func run() -> Responder.Outcome {
        let outcome = deliver()
        responder.log.note(measure.entry(status: status))
        return outcome
    }

    private mutating func deliver() -> Responder.Outcome {
        let failure = conduct.error.map { Payload(error: $0) }
        let executor = responder.executor
        if failure == nil, let recorder = responder.recorder {
            let isIncremental = if case .whole = delivery { false } else { true }
            if let answer = recorder.answer(to: call, operation, request.headers, isIncremental: isIncremental) {
                return relay(answer)
            }
            if executor.world == nil { return send(recorder.missing(call, operation)) }
        }
        switch delivery {
        case .whole: return sendWhole(failure ?? executor.answer(call))
        case .multipart(let format):
            let payloads = failure.map { [$0] } ?? executor.parts(call, as: format)
            if payloads.count == 1 { return sendWhole(payloads[0]) }
            return stream(payloads, .multipart(format))
        case .multipartEvents: return failure.map { stream([$0], .multipartEvents) } ?? streamEvents(.multipartEvents)
        case .eventStream:
            if let failure { return stream([failure], .eventStream) }
            return kind == .subscription
                ? streamEvents(.eventStream) : stream(executor.parts(call, as: .announced), .eventStream)
        }
    }

    /// Sends one message in the form that was chosen.
    private mutating func send(_ payload: Payload) -> Responder.Outcome {
        switch delivery {
        case .whole, .multipart: sendWhole(payload)
        case .multipartEvents: stream([payload], .multipartEvents)
        case .eventStream: stream([payload], .eventStream)
        }
    }

    // MARK: - One piece

    /// - Parameter shown: What the page shows, if that is something else.
    mutating func sendWhole(_ payload: Payload, shown: [UInt8]? = nil) -> Responder.Outcome {
        // A client that has ended its sending is answered at once.
        guard connection.rest(milliseconds: conduct.delayMilliseconds) || !connection.isGone, conduct.drop != 1 else {
            return .drop
        }
        measure.count(shown ?? payload.bytes)
        status = conduct.status ?? (payload.hasData || wholeType == Delivery.json ? 200 : 400)
        let response = MockResponse(status: status, type: "\(wholeType); charset=utf-8", payload.bytes)
        guard connection.send(response.bytes(keepsConnection: request.keepsConnection)) else { return .drop }
        return request.keepsConnection ? .keep : .close
    }

    // MARK: - Streams

    private mutating func stream(_ payloads: [Payload], _ format: StreamFormat) -> Responder.Outcome {
        stream(format, pause: 0) { number in (payloads[number - 1], number == payloads.count) }
    }

    private mutating func streamEvents(_ format: StreamFormat) -> Responder.Outcome {
        let (executor, call, last) = (responder.executor, call, conduct.events)
        return stream(format, pause: responder.facts.eventMilliseconds) { number in
            let payload = executor.event(number, of: call)
            return (payload, number == last || !payload.hasData)
        }
    }

    /// Sends one message after the other.
    ///
    /// - Parameter next: Returns the message with a number, from 1, and whether it is the last.
    private mutating func stream(
        _ format: StreamFormat, pause: Int, next: (Int) -> (payload: Payload, isLast: Bool)
    ) -> Responder.Outcome {
        let body = StreamedBody(connection, isChunked: !request.isOldVersion, keeps: request.keepsConnection)
        guard body.begin(format) else { return .drop }
        var number = 0
        while true {
            number += 1
            let wait = conduct.delayMilliseconds + (number > 1 ? pause : 0)
            // A client that has ended its sending gets the parts of an answer, and no further events.
            guard rest(wait, format, body) || pause == 0 && !connection.isGone, conduct.drop != number else {
                return .drop
            }
            let (payload, isLast) = next(number)
            measure.count(payload.bytes)
            guard body.send(format.part(payload.bytes)) else { return .drop }
            if isLast { break }
        }
        guard body.send(format.ending), body.end() else { return .drop }
        return body.keepsConnection ? .keep : .close
    }

    /// Waits, and shows meanwhile that the stream lives. Returns false if the client is gone.
    func rest(_ milliseconds: Int, _ format: StreamFormat, _ body: StreamedBody) -> Bool {
        var rest = milliseconds
        while rest > Self.heartbeatMilliseconds {
            guard connection.rest(milliseconds: Self.heartbeatMilliseconds), body.send(format.heartbeat) else {
                return false
            }
            rest -= Self.heartbeatMilliseconds
        }
        return connection.rest(milliseconds: rest)
    }
}
