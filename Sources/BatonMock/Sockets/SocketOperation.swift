import Baton
import BatonHTTP
import BatonTesting

/// One operation over a WebSocket: which message is the next, and when it is due.
struct SocketOperation {
    enum Step: Equatable {
        case message(Payload, isLast: Bool)
        /// No message is there yet.
        case waiting
        /// There are no further messages.
        case end
        /// The operation cannot be executed.
        case refused(Payload)
        /// The client wanted to be cut off in place of this message.
        case drop
    }

    /// The pause between two looks for a message of a real server.
    private static let lookMilliseconds = 20

    private let call: GraphQLCall
    private let operation: World.ServedOperation?
    private let conduct: Conduct
    /// The bytes that are held for the operation.
    let size: Int
    private(set) var measure: RequestMeasure
    /// When the next message is to be sent.
    private(set) var due: Int
    private var number = 0
    /// What is still to be sent of a query or a mutation; nil before it is executed.
    private var payloads: [Payload]?
    /// What a real server says; nil if the answer is made up.
    private let answer: AnswerQueue?

    init(_ id: String, _ call: GraphQLCall, _ conduct: Conduct, _ headers: HTTPHeaders, _ responder: Responder) {
        self.call = call
        operation = responder.operation(of: call)
        let conduct = responder.rules.complete(conduct, for: call, operation)
        self.conduct = conduct
        size = id.utf8.count + call.text.utf8.count + call.variables.jsonBytes.count + 256
        measure = RequestMeasure("WebSocket", call, operation, responder)
        due = Uptime.milliseconds + conduct.delayMilliseconds
        answer =
            conduct.error == nil
            ? responder.recorder?.answer(to: call, operation, headers, isIncremental: true) : nil
    }

    /// Says that the client wants no further messages.
    func leave() { answer?.leave() }

    /// Makes the message that is due.
    mutating func next(_ responder: Responder) -> Step {
        if let answer { return relay(answer, responder) }
        number += 1
        if conduct.drop == number { return .drop }
        let step = step(responder)
        if case .message(let payload, _) = step { measure.count(payload.bytes) }
        if case .refused(let payload) = step { measure.count(payload.bytes) }
        rest(isSubscription ? responder.facts.eventMilliseconds : 0)
        return step
    }

    private var isSubscription: Bool { operation?.kind == .subscription }

    private mutating func rest(_ milliseconds: Int) {
        due = Uptime.milliseconds + conduct.delayMilliseconds + milliseconds
    }

    private mutating func step(_ responder: Responder) -> Step {
        if let error = conduct.error { return .message(Payload(error: error), isLast: true) }
        if let recorder = responder.recorder, responder.executor.world == nil {
            return .refused(recorder.missing(call, operation))
        }
        if isSubscription {
            let payload = responder.executor.event(number, of: call)
            return payload.hasData ? .message(payload, isLast: number == conduct.events) : .refused(payload)
        }
        var rest = payloads ?? responder.executor.parts(call, as: .announced)
        let payload = rest.removeFirst()
        payloads = rest
        if number == 1, !payload.hasData { return .refused(payload) }
        return .message(payload, isLast: rest.isEmpty)
    }

    /// The next message of a real server.
    private mutating func relay(_ answer: AnswerQueue, _ responder: Responder) -> Step {
        switch answer.take(within: 0) {
        case nil:
            due = Uptime.milliseconds + Self.lookMilliseconds
            return .waiting
        case .end: return .end
        case .failure(let failure):
            let payload = Payload(refusal: failure.problem.message)
            measure.count(payload.bytes)
            return .refused(payload)
        case .message(let payload, let shown, let hasNext):
            number += 1
            if conduct.drop == number { return .drop }
            measure.count(shown)
            let isRecorded = responder.recorder?.isRecording == false
            rest(isSubscription && isRecorded ? responder.facts.eventMilliseconds : 0)
            if number == 1, !payload.hasData { return .refused(payload) }
            return .message(payload, isLast: !hasNext || isSubscription && number == conduct.events)
        }
    }
}
