import Baton
import RandomCases
import Testing

@testable import BatonHTTP

@Suite("EventStreamEngine")
struct EventStreamEngineTests {
    private struct Lost: Error {}

    private static func engine(attempts: Int? = 3, seed: UInt64 = 1) -> EventStreamEngine {
        EventStreamEngine(
            policy: ReconnectPolicy(maximumAttempts: attempts), idleTime: .seconds(5),
            random: SeededGenerator(seed: seed)
        )
    }

    private static func next(_ id: Int, _ payload: String) -> ServerSentEvent {
        ServerSentEvent(name: "next", data: Array("{\"id\":\"\(id)\",\"payload\":\(payload)}".utf8))
    }

    private static func complete(_ id: Int) -> ServerSentEvent {
        ServerSentEvent(name: "complete", data: Array("{\"id\":\"\(id)\"}".utf8))
    }

    /// The actions as text, without waits.
    private static func text(_ actions: [EventStreamEngine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .connect(let connection): "connect \(connection)"
            case .send(let connection, let token, let id, _): "send \(id) on \(connection) with \(token)"
            case .delete(let token, let id): "delete \(id) with \(token)"
            case .wait(let connection, _): "wait \(connection)"
            case .resend(let connection, let token, let id, _): "resend \(id) on \(connection) with \(token)"
            case .hold(let connection, let id, _): "hold \(id) on \(connection)"
            case .close(let connection): "close \(connection)"
            case .report(let id, let state): "\(id) is \(state)"
            case .deliver(let id, let response): "\(id) got \(String(decoding: response.body, as: UTF8.self))"
            case .finish(let id, let error): "\(id) ended\(error.map { " with \($0)" } ?? "")"
            }
        }
    }

    @Test("one stream carries several operations")
    func oneStreamCarriesSeveralOperations() {
        var engine = Self.engine()
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        #expect(take(.begin(1, .subscription, body: [])) == ["1 is connecting", "connect 1"])
        #expect(take(.begin(2, .query, body: [])) == ["2 is connecting"])
        #expect(
            take(.opened(connection: 1, token: "t"))
                == ["1 is connected", "send 1 on 1 with t", "2 is connected", "send 2 on 1 with t"])
        #expect(take(.sent(connection: 1, 1, .accepted)) == [])
        #expect(take(.received(connection: 1, Self.next(1, "{\"data\":1}"))) == ["1 got {\"data\":1}"])
        // A result may come before the response to the sending.
        #expect(take(.received(connection: 1, Self.next(2, "{\"data\":2}"))) == ["2 got {\"data\":2}", "2 ended"])
        #expect(take(.sent(connection: 1, 2, .accepted)) == [])
        #expect(take(.received(connection: 1, Self.complete(2))) == [])
        #expect(take(.received(connection: 1, ServerSentEvent(name: "ping", data: [1]))) == [])
        #expect(take(.received(connection: 1, Self.complete(1))) == ["1 ended", "wait 1"])
        #expect(take(.waited(connection: 1)) == ["close 1"])
        #expect(take(.begin(3, .query, body: [])) == ["3 is connecting", "connect 3"])
    }

    @Test("a lost stream is opened again, and operations that may be repeated are sent again")
    func aLostStreamIsOpenedAgain() {
        var engine = Self.engine()
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        for (id, kind) in [(1, OperationKind.subscription), (2, .query), (3, .mutation), (4, .query)] {
            _ = take(.begin(id, kind, body: []))
        }
        _ = take(.opened(connection: 1, token: "a"))
        _ = take(.received(connection: 1, Self.next(1, "{\"data\":1}")))
        _ = take(.received(connection: 1, Self.next(4, "{\"data\":1,\"hasNext\":true}")))
        #expect(
            take(.lost(connection: 1, Lost())) == [
                "1 is reconnecting(attempt: 1)", "2 is reconnecting(attempt: 1)", "3 ended with Lost()",
                "4 ended with Lost()", "wait 2",
            ])
        #expect(take(.received(connection: 1, Self.next(1, "{}"))) == [])
        #expect(take(.begin(5, .mutation, body: [])) == ["5 is reconnecting(attempt: 1)"])
        #expect(take(.waited(connection: 2)) == ["connect 3"])
        #expect(
            take(.opened(connection: 3, token: "b")) == [
                "1 is connected", "send 1 on 3 with b", "2 is connected", "send 2 on 3 with b", "5 is connected",
                "send 5 on 3 with b",
            ])
        #expect(take(.received(connection: 3, Self.next(1, "{\"data\":2}"))) == ["1 got {\"data\":2}"])
    }

    @Test("attempts in a row have an end, and a server that wants no stream is not asked again")
    func attemptsInARowHaveAnEnd() {
        var engine = Self.engine(attempts: 1)
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        _ = take(.begin(1, .subscription, body: []))
        #expect(take(.lost(connection: 1, Lost())) == ["1 ended with Lost()"])
        _ = take(.begin(2, .subscription, body: []))
        _ = take(.opened(connection: 3, token: "t"))
        _ = take(.sent(connection: 3, 2, .accepted))
        #expect(take(.lost(connection: 3, Lost())).last == "wait 4")
        #expect(take(.waited(connection: 4)) == ["connect 5"])
        #expect(take(.lost(connection: 5, Lost())) == ["2 ended with Lost()"])
        _ = take(.begin(3, .subscription, body: []))
        _ = take(.opened(connection: 7, token: "t"))
        #expect(take(.lost(connection: 7, RelayError.httpStatus(404, body: ""))).count == 1)
    }

    @Test("a server that is busy is given the time that it asks for")
    func aBusyServerIsGivenTheTimeThatItAsksFor() {
        var engine = Self.engine()
        _ = engine.take(.begin(1, .subscription, body: []))
        _ = engine.take(.opened(connection: 1, token: "t"))
        _ = engine.take(.sent(connection: 1, 1, .accepted))
        _ = engine.take(.lost(connection: 1, Lost()))
        _ = engine.take(.waited(connection: 2))
        let busy = RelayError.httpStatus(503, body: "", retryAfter: .seconds(45))
        let waits = engine.take(.lost(connection: 3, busy)).compactMap { action -> Duration? in
            if case .wait(_, let delay) = action { delay } else { nil }
        }
        #expect(waits == [.seconds(45)])
    }

    @Test(
        "a subscription that was accepted is sent again after a failure that may pass",
        arguments: [
            .failed(Lost()), .failed(RelayError.httpStatus(503, body: "")),
            .answered(NetworkResponse(body: [0x7B, 0x7D], metadata: ["status": "429"])),
        ] as [EventStreamEngine.Sending])
    func aSubscriptionIsSentAgainAfterAPassingFailure(_ failure: EventStreamEngine.Sending) {
        var engine = Self.engine(attempts: 2)
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        for id in 1...2 { _ = take(.begin(id, .subscription, body: [])) }
        _ = take(.opened(connection: 1, token: "a"))
        _ = take(.sent(connection: 1, 1, .accepted))
        _ = take(.sent(connection: 1, 2, .accepted))
        _ = take(.lost(connection: 1, Lost()))
        _ = take(.waited(connection: 2))
        _ = take(.opened(connection: 3, token: "b"))
        #expect(take(.sent(connection: 3, 2, .accepted)) == [])
        // The stream and its other operations stay.
        #expect(take(.sent(connection: 3, 1, failure)) == ["1 is reconnecting(attempt: 1)", "hold 1 on 3"])
        #expect(take(.due(connection: 1, 1)) == [])
        #expect(take(.due(connection: 3, 2)) == [])
        #expect(take(.due(connection: 3, 1)) == ["1 is connected", "resend 1 on 3 with b"])
        #expect(take(.due(connection: 3, 1)) == [])
        #expect(take(.sent(connection: 3, 1, .accepted)) == [])
        #expect(take(.received(connection: 3, Self.next(1, "{\"data\":1}"))) == ["1 got {\"data\":1}"])
    }

    @Test("a subscription with results is not sent again, although the response to its sending was lost")
    func aSubscriptionWithResultsIsNotSentAgain() {
        var engine = Self.engine()
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        _ = take(.begin(1, .subscription, body: []))
        _ = take(.opened(connection: 1, token: "a"))
        #expect(take(.received(connection: 1, Self.next(1, "{\"data\":1}"))) == ["1 got {\"data\":1}"])
        #expect(take(.sent(connection: 1, 1, .failed(Lost()))) == [])
        _ = take(.lost(connection: 1, Lost()))
        _ = take(.waited(connection: 2))
        _ = take(.opened(connection: 3, token: "b"))
        #expect(take(.sent(connection: 3, 1, .failed(Lost()))).last == "hold 1 on 3")
        let expected = ["1 is connected", "1 got {\"data\":2}"]
        #expect(take(.received(connection: 3, Self.next(1, "{\"data\":2}"))) == expected)
        #expect(take(.due(connection: 3, 1)) == [])
        // A server that has the operation refuses another operation with the same id.
        let conflict = NetworkResponse(body: [0x7B, 0x7D], metadata: ["status": "409"])
        #expect(take(.sent(connection: 3, 1, .answered(conflict))) == [])
        #expect(take(.stop(1)) == ["delete 1 with b", "wait 3"])
    }

    @Test("a subscription that is stopped before it is sent again is stopped on the server, which may have it")
    func aHeldSubscriptionIsStoppedOnTheServer() {
        var engine = Self.engine()
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        _ = take(.begin(1, .subscription, body: []))
        _ = take(.opened(connection: 1, token: "a"))
        _ = take(.sent(connection: 1, 1, .accepted))
        _ = take(.lost(connection: 1, Lost()))
        _ = take(.waited(connection: 2))
        _ = take(.opened(connection: 3, token: "b"))
        _ = take(.sent(connection: 3, 1, .failed(Lost())))
        #expect(take(.stop(1)) == ["delete 1 with b", "wait 3"])
    }

    @Test("attempts to send a subscription again have an end, and a refusal ends them at once")
    func attemptsToSendAgainHaveAnEnd() {
        var engine = Self.engine(attempts: 2)
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        for id in 1...2 {
            _ = take(.begin(id, .subscription, body: []))
            if id == 1 { _ = take(.opened(connection: 1, token: "a")) }
            _ = take(.sent(connection: 1, id, .accepted))
        }
        _ = take(.lost(connection: 1, Lost()))
        _ = take(.waited(connection: 2))
        _ = take(.opened(connection: 3, token: "b"))
        let refusal = RelayError.httpStatus(401, body: "")
        #expect(take(.sent(connection: 3, 2, .failed(refusal))) == ["2 ended with \(refusal)"])
        for attempt in 1...2 {
            let expected = ["1 is reconnecting(attempt: \(attempt))", "hold 1 on 3"]
            #expect(take(.sent(connection: 3, 1, .failed(Lost()))) == expected)
            #expect(take(.due(connection: 3, 1)).count == 2)
        }
        #expect(take(.sent(connection: 3, 1, .failed(Lost()))).first == "1 ended with Lost()")
    }

    @Test("an operation is stopped on the server once the server has it")
    func anOperationIsStoppedOnTheServer() {
        var engine = Self.engine()
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        for id in 1...3 { _ = take(.begin(id, .subscription, body: [])) }
        #expect(take(.stop(3)) == [])
        _ = take(.opened(connection: 1, token: "t"))
        _ = take(.sent(connection: 1, 1, .accepted))
        #expect(take(.stop(1)) == ["delete 1 with t"])
        #expect(take(.stop(1)) == [])
        #expect(take(.stop(2)) == ["wait 1"])
        #expect(take(.sent(connection: 1, 2, .accepted)) == ["delete 2 with t"])
        #expect(take(.received(connection: 1, Self.next(1, "{\"data\":1}"))) == [])
    }

    @Test("a response to the sending is the operation's response, and a refusal ends only that operation")
    func anAnswerToTheSendingIsTheAnswer() {
        var engine = Self.engine()
        func take(_ event: EventStreamEngine.Event) -> [String] { Self.text(engine.take(event)) }
        for id in 1...3 { _ = take(.begin(id, .subscription, body: [])) }
        _ = take(.opened(connection: 1, token: "t"))
        #expect(
            take(.sent(connection: 1, 1, .answered(NetworkResponse(body: [0x7B, 0x7D])))) == ["1 got {}", "1 ended"])
        #expect(take(.sent(connection: 1, 2, .failed(Lost()))) == ["2 ended with Lost()"])
        let event = ServerSentEvent(name: "next", data: Array("{}".utf8))
        #expect(take(.received(connection: 1, event)).first == "close 1")
    }

    @Test(
        "under any schedule, every operation ends once, with its responses in order",
        arguments: 0..<200 as Range<UInt64>)
    func everyOperationEndsOnceUnderAnySchedule(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var engine = Self.engine(attempts: 2, seed: seed)
        var world = World()
        for _ in 0..<150 {
            world.perform(engine.take(world.event(&generator)))
        }
        // The server is gone for good.
        for _ in 0..<40 {
            if let connection = world.connections.max() {
                world.connections.remove(connection)
                world.perform(engine.take(.lost(connection: connection, Lost())))
            }
            if let wait = world.waits.max() {
                world.waits.remove(wait)
                world.perform(engine.take(.waited(connection: wait)))
            }
        }
        #expect(world.problems.isEmpty, "\(world.problems)")
        #expect(world.begun.subtracting(world.stopped) == world.finished)
        #expect(world.connections.isEmpty)
    }

    /// A random server and client, with their expectations of the engine.
    private struct World {
        var begun: Set<Int> = []
        var stopped: Set<Int> = []
        var finished: Set<Int> = []
        /// Connections that are being made or open.
        var connections: Set<Int> = []
        var open: [Int: String] = [:]
        var waits: Set<Int> = []
        /// Operations that wait before they are sent once more.
        var held: [(connection: Int, id: Int)] = []
        /// Operations that the server has, by their connection, and operations whose sending has no response so far.
        var sending: [(connection: Int, id: Int)] = []
        var events: [Int: Int] = [:]
        var problems: [String] = []

        mutating func event(_ generator: inout SeededGenerator) -> EventStreamEngine.Event {
            let id = Int.random(in: 1...12, using: &generator)
            let connection = connections.sorted().last ?? 0
            switch Int.random(in: 0..<13, using: &generator) {
            case 12:
                guard !held.isEmpty else { return .stop(0) }
                let (connection, id) = held.removeFirst()
                return .due(connection: connection, id)
            case 0, 1:
                let new = begun.count + 1
                begun.insert(new)
                let kinds: [OperationKind] = [.query, .mutation, .subscription, .subscription]
                return .begin(new, kinds[Int.random(in: 0..<4, using: &generator)], body: [])
            case 2:
                if begun.contains(id), !finished.contains(id) { stopped.insert(id) }
                return .stop(id)
            case 3, 4:
                guard connections.contains(connection), open[connection] == nil else { return .stop(0) }
                open[connection] = "token\(connection)"
                return .opened(connection: connection, token: "token\(connection)")
            case 5:
                if Bool.random(using: &generator) { return .lost(connection: connection - 1, Lost()) }
                connections.remove(connection)
                return .lost(connection: connection, Lost())
            case 6:
                guard let wait = waits.randomElement(using: &generator) else { return .stop(0) }
                waits.remove(wait)
                return .waited(connection: wait)
            case 7, 8:
                guard !sending.isEmpty else { return .stop(0) }
                let (connection, id) = sending.removeFirst()
                let answers: [EventStreamEngine.Sending] = [.accepted, .accepted, .accepted, .failed(Lost())]
                return .sent(connection: connection, id, answers[Int.random(in: 0..<4, using: &generator)])
            case 9: return .received(connection: connection, complete(id))
            default:
                events[id, default: 0] += 1
                return .received(connection: connection, next(id, "{\"data\":\(events[id] ?? 0),\"hasNext\":true}"))
            }
        }

        private var last: [Int: Int] = [:]

        mutating func perform(_ actions: [EventStreamEngine.Action]) {
            for action in actions {
                switch action {
                case .connect(let connection):
                    if !connections.isEmpty { problems.append("two connections") }
                    connections.insert(connection)
                case .close(let connection): connections.remove(connection)
                case .wait(let connection, _): waits.insert(connection)
                case .hold(let connection, let id, _):
                    expectRunning(id)
                    held.append((connection, id))
                case .send(let connection, let token, let id, _), .resend(let connection, let token, let id, _):
                    if open[connection] != token || !connections.contains(connection) {
                        problems.append("sent to none")
                    }
                    expectRunning(id)
                    sending.append((connection, id))
                case .delete(_, let id): if !stopped.contains(id) { problems.append("deleted \(id)") }
                case .report(let id, _): expectRunning(id)
                case .deliver(let id, let response):
                    expectRunning(id)
                    let digits = String(decoding: response.body, as: UTF8.self).filter(\.isNumber)
                    let number = Int(digits) ?? 0
                    if number <= last[id, default: 0] { problems.append("\(id) out of order") }
                    last[id] = number
                case .finish(let id, _):
                    expectRunning(id)
                    finished.insert(id)
                }
            }
        }

        private mutating func expectRunning(_ id: Int) {
            if !begun.contains(id) || finished.contains(id) || stopped.contains(id) { problems.append("\(id) is over") }
        }
    }
}
