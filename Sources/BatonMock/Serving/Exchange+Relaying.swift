import Baton
import BatonTesting

// Answers that come from a real server, now or from a recording.

extension Exchange {
    /// Sends the messages of an answer as they come.
    mutating func relay(_ answer: AnswerQueue) -> Responder.Outcome {
        defer { answer.leave() }
        guard let first = wait(for: answer) else { return .drop }
        switch first {
        case .failure(let failure): return refuse(failure.problem)
        case .end: return refuse(FixtureFailure.noResponse.problem)
        case .message(let payload, let shown, let hasNext):
            guard hasNext || kind == .subscription else {
                return delivery == .eventStream ? relay(first, answer, .eventStream) : sendWhole(payload, shown: shown)
            }
            switch delivery {
            case .whole:
                return refuse(
                    HTTPProblem(406, "The answer has parts: send 'Accept: multipart/mixed' or 'text/event-stream'."))
            case .multipart: return relay(first, answer, .multipart(Self.format(of: payload)))
            case .multipartEvents: return relay(first, answer, .multipartEvents)
            case .eventStream: return relay(first, answer, .eventStream)
            }
        }
    }

    /// The format in which a server has sent the first part of an answer.
    private static func format(of payload: Payload) -> LocalService.IncrementalFormat {
        (try? JSONValue.parse(payload.bytes))?["pending"] == nil ? .labelled : .announced
    }

    private mutating func refuse(_ problem: HTTPProblem) -> Responder.Outcome {
        let response = problem.response
        status = response.status
        measure.count(response.body)
        guard connection.send(response.bytes(keepsConnection: request.keepsConnection)) else { return .drop }
        return request.keepsConnection ? .keep : .close
    }

    /// The next item of an answer; nil if the client is gone meanwhile.
    private func wait(for answer: AnswerQueue) -> AnswerQueue.Item? {
        while true {
            if let item = answer.take(within: 100) { return item }
            guard connection.rest(milliseconds: 0) || !connection.isGone else { return nil }
        }
    }

    private mutating func relay(
        _ first: AnswerQueue.Item, _ answer: AnswerQueue, _ format: StreamFormat
    ) -> Responder.Outcome {
        let body = StreamedBody(connection, isChunked: !request.isOldVersion, keeps: request.keepsConnection)
        guard body.begin(format) else { return .drop }
        var item = first
        var number = 0
        var lastSent = Uptime.milliseconds
        while case .message(let payload, let shown, let hasNext) = item {
            number += 1
            guard rest(conduct.delayMilliseconds, format, body), conduct.drop != number else { return .drop }
            measure.count(shown)
            guard body.send(format.part(payload.bytes)) else { return .drop }
            lastSent = Uptime.milliseconds
            if !hasNext || kind == .subscription && number == conduct.events {
                item = .end
                break
            }
            // A recorded subscription comes as one of a world does, and a real one when there is an event.
            let pause = responder.recorder?.isRecording == false && kind == .subscription
            if pause, !rest(responder.facts.eventMilliseconds, format, body) { return .drop }
            while true {
                if let next = answer.take(within: 100) {
                    item = next
                    break
                }
                guard connection.rest(milliseconds: 0) else { return .drop }
                if Uptime.milliseconds - lastSent >= Self.heartbeatMilliseconds {
                    guard body.send(format.heartbeat) else { return .drop }
                    lastSent = Uptime.milliseconds
                }
            }
        }
        // What a stream lacks shows as a stream that was cut.
        guard item == .end, body.send(format.ending), body.end() else { return .drop }
        return body.keepsConnection ? .keep : .close
    }
}
