import Baton
import BatonTesting

/// Executes several operations that were sent together, one after the other, and sends their answers as an array.
struct TogetherExchange {
    let calls: [GraphQLCall]
    let conduct: Conduct
    let request: ReceivedRequest
    let connection: Connection

    func run(_ responder: Responder) -> Responder.Outcome {
        var body: [UInt8] = []
        // The answers are held until they are sent.
        var payloads: [Payload] = []
        var together = Conduct()
        for call in calls {
            let operation = responder.operation(of: call)
            let conduct = responder.rules.complete(conduct, for: call, operation)
            // The answer of all waits for the slowest, and is cut if one of them is.
            together.delay = max(together.delayMilliseconds, conduct.delayMilliseconds)
            together.status = together.status ?? conduct.status
            if conduct.drop == 1 { together.drop = 1 }
            var measure = RequestMeasure("array", call, operation, responder)
            var shown: [UInt8]?
            let payload = conduct.error.map { Payload(error: $0) } ?? answer(call, operation, responder, &shown)
            guard let payload else { return .drop }
            measure.count(shown ?? payload.bytes)
            responder.log.note(measure.entry(status: conduct.status ?? 200))
            body += body.isEmpty ? [UInt8(ascii: "[")] : [UInt8(ascii: ",")]
            body += payload.bytes
            payloads.append(payload)
        }
        body.append(UInt8(ascii: "]"))
        guard connection.rest(milliseconds: together.delayMilliseconds) || !connection.isGone, together.drop != 1 else {
            return .drop
        }
        let response = MockResponse(status: together.status ?? 200, type: "application/json; charset=utf-8", body)
        let isSent = withExtendedLifetime(payloads) {
            connection.send(response.bytes(keepsConnection: request.keepsConnection))
        }
        guard isSent else { return .drop }
        return request.keepsConnection ? .keep : .close
    }

    /// The answer to one of the operations; nil if the client is gone meanwhile.
    private func answer(
        _ call: GraphQLCall, _ operation: World.ServedOperation?, _ responder: Responder, _ shown: inout [UInt8]?
    ) -> Payload? {
        guard let recorder = responder.recorder else { return responder.executor.answer(call) }
        guard let answer = recorder.answer(to: call, operation, request.headers, isIncremental: false) else {
            return responder.executor.world == nil ? recorder.missing(call, operation) : responder.executor.answer(call)
        }
        defer { answer.leave() }
        while true {
            switch answer.take(within: 100) {
            case .message(let payload, let text, let hasNext):
                guard !hasNext else { return Payload(refusal: "An answer in parts is not sent together with others.") }
                shown = text
                return payload
            case .failure(let failure): return Payload(refusal: failure.problem.message)
            case .end: return Payload(refusal: FixtureFailure.noResponse.problem.message)
            case nil: guard connection.rest(milliseconds: 0) || !connection.isGone else { return nil }
            }
        }
    }
}
