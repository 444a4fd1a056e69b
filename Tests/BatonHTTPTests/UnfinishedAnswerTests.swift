import Baton
import Foundation
import Testing

@testable import BatonHTTP

/// A server announces another part of a response, and ends the response. The error is the same over every network.
@Suite struct UnfinishedAnswerTests {
    private static let url = URL(string: "http://host/graphql") ?? URL(fileURLWithPath: "/")
    private static let part = #"{"data":{"a":1},"hasNext":true}"#

    @Test(arguments: [OperationKind.query, .mutation]) func aSocketEndsIt(_ kind: OperationKind) async throws {
        let transport = MemorySocketTransport { connection, message in
            MemorySocketTransport.acknowledging(connection, message)
            guard message["type"] == "subscribe", case .string(let id)? = message["id"] else { return }
            connection.say(#"{"id":"\#(id)","type":"next","payload":\#(Self.part)}"#)
            connection.say(#"{"id":"\#(id)","type":"complete"}"#)
        }
        let network = WebSocketNetwork(url: Self.url, transport: transport, clock: SocketTestClock())
        let error = RelayError.transport(RelayError.StreamError.closedEarly(responses: 1, bytes: Self.part.utf8.count))
        await #expect(throws: error) { try await network.all(.test(1, kind)) }
        #expect(try await network.all(.test(2, .subscription)).map(\.text) == [Self.part])
    }

    @Test(arguments: [OperationKind.query, .mutation]) func anEventStreamOfManyOperationsEndsIt(_ kind: OperationKind) {
        var engine = EventStreamEngine(
            policy: .never, idleTime: .seconds(5), random: SystemRandomNumberGenerator())
        func take(_ event: EventStreamEngine.Event) -> [String] {
            engine.take(event).compactMap { action in
                guard case .finish(let id, let error) = action else { return nil }
                return "\(id) \(error.map { "\($0)" } ?? "-")"
            }
        }
        func event(_ name: String, _ id: Int, _ payload: String = "") -> EventStreamEngine.Event {
            .received(
                connection: 1, ServerSentEvent(name: name, data: Array("{\"id\":\"\(id)\"\(payload)}".utf8)))
        }
        _ = engine.take(.begin(1, kind, body: []))
        _ = engine.take(.begin(2, .subscription, body: []))
        _ = engine.take(.begin(3, kind, body: []))
        _ = engine.take(.opened(connection: 1, token: "t"))
        for id in 1...2 { #expect(take(event("next", id, ",\"payload\":\(Self.part)")) == []) }
        let error = RelayError.StreamError.closedEarly(responses: 1, bytes: Self.part.utf8.count)
        #expect(take(event("complete", 1)) == ["1 \(error)"])
        #expect(take(event("complete", 2)) == ["2 -"])
        #expect(take(event("complete", 3)) == ["3 -"])
    }

    @Test func aMultipartBodyEndsIt() async {
        let body = "--x\r\nContent-Type: application/json\r\n\r\n\(Self.part)\r\n"
        let answer = ScriptedTransport.Answer(
            200, ["Content-Type": "multipart/mixed; boundary=x"], .whole(body))
        let network = HTTPNetwork(url: Self.url, transport: ScriptedTransport { _ in answer })
        await #expect(
            throws: RelayError.transport(RelayError.StreamError.closedEarly(responses: 1, bytes: body.utf8.count))
        ) {
            try await network.all(.make())
        }
    }
}
