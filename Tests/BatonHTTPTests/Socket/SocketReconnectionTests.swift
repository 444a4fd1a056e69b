import Baton
import Foundation
import Testing

@testable import BatonHTTP

@Suite("SocketMachine: loss and keep-alive")
struct SocketReconnectionTests {
    @Test("a lost connection is made again, and subscriptions are started again in their order")
    func subscriptionsStartAgainOnANewConnection() {
        var socket = ScriptedSocket()
        socket.becomeReady(.graphqlTransportWS, [1, 2])
        socket.hearClose(1001, "restart")
        #expect(
            socket.taken() == [
                "drop", "reconnecting(attempt: 1)", "1 is reconnecting(attempt: 1)", "2 is reconnecting(attempt: 1)",
            ])
        socket.start(3)
        #expect(socket.taken() == ["3 is reconnecting(attempt: 1)"])
        socket.fire(.backoff)
        #expect(socket.taken() == ["connect"])
        socket.open(.graphqlWS)
        socket.hear(#"{"type":"connection_ack"}"#)
        #expect(
            socket.taken().filter { $0.hasPrefix("send") } == [
                #"send {"type":"connection_init"}"#, #"send {"id":"1","type":"start","payload":{}}"#,
                #"send {"id":"2","type":"start","payload":{}}"#, #"send {"id":"3","type":"start","payload":{}}"#,
            ])
    }

    @Test("attempts that fail end when the policy says so, with the last error")
    func failedAttemptsEndWithTheLastError() {
        var socket = ScriptedSocket { $0.reconnecting = ReconnectPolicy(maximumAttempts: 2) }
        socket.start(1)
        for _ in 0..<2 {
            socket.handle(.broke(connection: socket.connection, HTTPError.notHTTP))
            #expect(socket.ends.isEmpty)
            socket.fire(.backoff)
        }
        socket.hearClose(1006)
        #expect(socket.ends == [1: "the server closed the socket with code 1006"])
        #expect(socket.taken().last == "disconnected")
        #expect(socket.timers.isEmpty)
        // The next operation starts a new connection.
        socket.start(2)
        #expect(socket.taken() == ["connect", "connecting", "2 is connecting"])
    }

    @Test("a server that refuses a handshake for now is given the time that it asks for")
    func aServerMayAskForALongerWait() throws {
        var socket = ScriptedSocket()
        socket.start(1)
        for (asked, waited) in [(45, 45), (3_600, 600)] {
            let busy = RelayError.httpStatus(503, body: "", retryAfter: .seconds(asked))
            socket.handle(.broke(connection: socket.connection, busy))
            #expect(socket.delays[.backoff] == .seconds(waited))
            socket.fire(.backoff)
        }
        socket.handle(.broke(connection: socket.connection, RelayError.httpStatus(503, body: "")))
        #expect(try #require(socket.delays[.backoff]) < .seconds(31))
    }

    @Test("only a connection that lasted for a while begins a new row of attempts")
    func onlyASettledConnectionBeginsANewRow() {
        var socket = ScriptedSocket { $0.reconnecting = ReconnectPolicy(maximumAttempts: 1) }
        socket.becomeReady()
        socket.hearClose(1006)
        socket.fire(.backoff)
        socket.open()
        socket.hear(#"{"type":"connection_ack"}"#)
        var settled = socket
        settled.fire(.settling)
        settled.hearClose(1006)
        #expect(settled.ends.isEmpty)
        var used = socket
        used.hear(#"{"type":"next","id":"1","payload":{}}"#)
        used.hearClose(1006)
        #expect(used.ends.isEmpty)
        socket.hearClose(1006)
        #expect(socket.ends.count == 1)
    }

    @Test(
        "codes that are fatal end all operations; others do not",
        arguments: [
            1000, 1001, 1005, 1006, 1011, 1012, 1013, 3000, 4000, 4408, 4504, 1002, 1003, 1007, 1008, 1009, 4004, 4005,
            4400,
            4401, 4403, 4406, 4409, 4429, 4499, 4500,
        ])
    func fatalCodesEndAllOperations(_ code: Int) {
        let isFatal = [1002, 1003, 1007, 1008, 1009, 4004, 4005, 4400, 4401, 4403, 4406, 4409, 4429, 4499, 4500]
            .contains(code)
        var socket = ScriptedSocket()
        socket.becomeReady(.graphqlTransportWS, [1, 2])
        socket.hearClose(code, "because")
        #expect(socket.ends.count == (isFatal ? 2 : 0))
        if isFatal { #expect(socket.ends[1] == "the server closed the socket with code \(code) ('because')") }
        let error = WebSocketError.closed(code: code, reason: "because")
        #expect(error.isFatal == isFatal && error.code == code && error.reason == "because" && !error.advice.isEmpty)
        // The application may exempt a code, so that the connection is made again.
        var other = ScriptedSocket { $0.retriedCloseCodes = [code] }
        other.becomeReady()
        other.hearClose(code)
        #expect(other.ends.isEmpty)
    }

    @Test(
        "a handshake that is refused for good is not tried again",
        arguments: [
            (401, true), (403, true), (404, true), (408, false), (429, false), (500, false), (503, false),
        ])
    func aHandshakeThatIsRefusedForGoodIsNotTriedAgain(_ status: Int, isFatal: Bool) {
        var socket = ScriptedSocket()
        socket.start(1)
        socket.handle(.broke(connection: socket.connection, RelayError.httpStatus(status, body: "")))
        #expect(socket.ends.isEmpty == !isFatal)
    }

    @Test("a query in flight is sent again, and fails when the next attempt fails")
    func aQueryInFlightIsSentAgain() {
        var socket = ScriptedSocket()
        socket.becomeReady(.graphqlTransportWS, [1, 2], .query)
        socket.hear(#"{"type":"next","id":"2","payload":{"data":{},"hasNext":true}}"#)
        socket.hearClose(1006)
        // A part of the second response had arrived, so that sending the operation again would repeat the part.
        #expect(socket.ends == [2: "the server closed the socket with code 1006"])
        socket.fire(.backoff)
        socket.open()
        var fine = socket
        fine.hear(#"{"type":"connection_ack"}"#)
        #expect(fine.taken().contains(#"send {"id":"1","type":"subscribe","payload":{}}"#))
        socket.hearClose(1006)
        #expect(socket.ends.count == 2)
    }

    @Test("a mutation in flight is not sent again, unless the server recognizes its key")
    func aMutationInFlightIsNotSentAgain() {
        for (resends, hasKey) in [(false, false), (true, false), (false, true), (true, true)] {
            var socket = ScriptedSocket { $0.resendsMutations = resends }
            socket.start(1, .mutation, hasKey: hasKey)
            socket.open()
            socket.hear(#"{"type":"connection_ack"}"#)
            socket.start(2)
            socket.hearClose(1006)
            let isRepeated = resends && hasKey
            #expect(socket.ends.isEmpty == isRepeated)
            if !isRepeated { #expect(socket.ends[1]?.contains("unknown whether it was carried out") == true) }
            socket.fire(.backoff)
            socket.open()
            _ = socket.taken()
            socket.hear(#"{"type":"connection_ack"}"#)
            let isSent = socket.taken().contains { $0.contains(#""id":"1""#) }
            #expect(isSent == isRepeated)
        }
    }

    @Test("a mutation that waits for a connection fails with the connection's error, since it was not sent")
    func aWaitingMutationFailsWithTheConnection() {
        var socket = ScriptedSocket()
        socket.start(1, .mutation)
        socket.handle(.broke(connection: socket.connection, HTTPError.notHTTP))
        #expect(socket.ends == [1: "the response is no HTTP response"])
        #expect(socket.timers.isEmpty)
    }

    @Test("opening a connection and acknowledging it each have a time limit")
    func openingAndAcknowledgingHaveTimeLimits() {
        var socket = ScriptedSocket()
        socket.start(1)
        socket.fire(.connection)
        #expect(socket.taken().contains("drop"))
        socket.fire(.backoff)
        socket.open()
        _ = socket.taken()
        socket.fire(.acknowledgement)
        #expect(socket.taken().first?.hasPrefix("close 4504") == true)
        #expect(socket.machine.state == .reconnecting(attempt: 2))
        #expect(Array(socket.timers.keys) == [.backoff])
    }

    @Test("a ping without any message after it ends the connection")
    func aPingWithoutAnAnswerEndsTheConnection() {
        var socket = ScriptedSocket { $0.pingInterval = .seconds(20) }
        socket.becomeReady()
        socket.fire(.ping)
        #expect(socket.taken() == [#"send {"type":"ping"}"#])
        socket.hear(#"{"type":"next","id":"1","payload":{}}"#)
        #expect(socket.timers[.pong] == nil)
        socket.fire(.ping)
        _ = socket.taken()
        socket.fire(.pong)
        #expect(socket.taken().first == "close 4499 the server sent nothing for 10.0 seconds")
        #expect(socket.machine.state == .reconnecting(attempt: 1))
    }

    @Test("while a consumer is slow, no pong is expected, because it would not be read")
    func noPongIsExpectedDuringASlowConsumer() {
        var socket = ScriptedSocket {
            $0.pingInterval = .seconds(20)
            $0.maximumWaitingResponses = 1
        }
        socket.becomeReady()
        socket.fire(.ping)
        socket.hear(#"{"type":"next","id":"1","payload":{}}"#)
        #expect(socket.timers[.pong] == nil)
        _ = socket.taken()
        socket.fire(.ping)
        #expect(socket.taken() == [])
        socket.handle(.consumed(1))
        socket.fire(.ping)
        #expect(socket.taken() == [#"send {"type":"ping"}"#])
    }

    @Test("in the older protocol, silence is noticed once the server has sent keep-alive")
    func silenceIsNoticedAfterKeepAlive() {
        var socket = ScriptedSocket()
        socket.becomeReady(.graphqlWS)
        #expect(socket.timers.isEmpty)
        socket.hear(#"{"type":"ka"}"#)
        socket.fire(.silence)
        socket.hear(#"{"type":"data","id":"1","payload":{}}"#)
        socket.fire(.silence)
        #expect(socket.machine.state == .connected)
        socket.fire(.silence)
        #expect(socket.machine.state == .reconnecting(attempt: 1))
    }

    @Test("a pause closes the connection, and resume starts the waiting operations again")
    func resumeStartsWaitingOperationsAgain() {
        var socket = ScriptedSocket()
        socket.start(1)
        socket.start(2, .query)
        socket.start(3, .mutation)
        socket.open()
        socket.hear(#"{"type":"connection_ack"}"#)
        _ = socket.taken()
        socket.handle(.pause)
        #expect(socket.taken().map { $0.prefix(9) } == ["close 100", "3 ends: t", "paused", "1 is paus", "2 is paus"])
        socket.start(4)
        #expect(socket.taken() == ["4 is paused"])
        #expect(socket.timers.isEmpty)
        socket.handle(.resume)
        #expect(socket.taken().prefix(2) == ["connect", "connecting"])
        socket.open()
        socket.hear(#"{"type":"connection_ack"}"#)
        #expect(socket.machine.state == .connected && socket.machine.operations.count == 3)
    }

    @Test("an operation that comes while the connection lingers uses the connection")
    func aLingeringConnectionIsUsed() {
        var socket = ScriptedSocket()
        socket.becomeReady()
        socket.handle(.stop(1))
        #expect(Array(socket.timers.keys) == [.lingering])
        socket.start(2)
        #expect(socket.timers.isEmpty)
        #expect(
            socket.taken() == [
                #"send {"id":"1","type":"complete"}"#, #"send {"id":"2","type":"subscribe","payload":{}}"#,
                "2 is connected",
            ])
    }

    @Test("without operations, a lost connection is not made again")
    func anIdleLossIsNotRepaired() {
        var socket = ScriptedSocket()
        socket.becomeReady()
        socket.handle(.stop(1))
        socket.hearClose(1006)
        #expect(socket.machine.state == .disconnected && socket.timers.isEmpty)
        socket.start(2)
        socket.hearClose(1006)
        socket.handle(.stop(2))
        #expect(socket.machine.state == .disconnected && socket.timers.isEmpty)
    }

    @Test("after the end of the network, no operation begins")
    func nothingBeginsAfterTheEnd() {
        var socket = ScriptedSocket()
        socket.becomeReady()
        socket.handle(.shutDown)
        #expect(socket.taken() == ["1 ends: CancellationError()", "close 1000", "disconnected"])
        socket.start(2)
        socket.handle(.resume)
        #expect(socket.taken() == ["2 ends: CancellationError()"])
        #expect(socket.timers.isEmpty)
    }
}
