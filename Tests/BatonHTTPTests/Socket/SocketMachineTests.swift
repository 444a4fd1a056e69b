import Baton
import Foundation
import RandomCases
import Testing

@testable import BatonHTTP

@Suite("SocketMachine")
struct SocketMachineTests {
    @Test("a subscription connects, is sent after the acknowledgement, and ends with complete")
    func aSubscriptionIsSentAfterTheAcknowledgement() {
        var socket = ScriptedSocket()
        socket.start(1)
        #expect(socket.taken() == ["connect", "connecting", "1 is connecting"])
        socket.open(payload: #"{"token":"x"}"#)
        #expect(socket.taken() == [#"send {"type":"connection_init","payload":{"token":"x"}}"#])
        socket.hear(#"{"type":"connection_ack","payload":{"a":1}}"#)
        #expect(
            socket.taken() == [
                #"send {"id":"1","type":"subscribe","payload":{}}"#, "connected", "1 is connected",
            ])
        socket.hear(#" { "payload" : {"data": {"a":  1}} , "id":"1","type":"next" } "#)
        #expect(socket.taken() == [#"1: {"data": {"a":  1}} ..."#])
        socket.hear(#"{"id":"1","type":"complete"}"#)
        #expect(socket.taken() == ["1 ends"])
        socket.fire(.lingering)
        #expect(socket.taken() == ["close 1000", "disconnected"])
        #expect(socket.timers.isEmpty)
    }

    @Test("the older protocol has messages of its own")
    func theOlderProtocolHasItsOwnMessages() {
        var socket = ScriptedSocket()
        socket.start(1)
        socket.start(2)
        socket.open(.graphqlWS)
        socket.hear(#"{"type":"ka"}"#)
        socket.hear(#"{"type":"connection_ack"}"#)
        socket.hear(#"{"type":"start_ack","id":"1"}"#)
        _ = socket.taken()
        socket.start(3)
        socket.hear(#"{"type":"data","id":"1","payload":{"data":null}}"#)
        socket.handle(.stop(1))
        socket.hear(#"{"type":"error","id":"2","payload":{"message":"no"}}"#)
        socket.hear(#"{"type":"error","id":3,"payload":"no"}"#)
        socket.fire(.lingering)
        #expect(
            socket.taken() == [
                #"send {"id":"3","type":"start","payload":{}}"#, "3 is connected",
                #"1: {"data":null} ..."#, #"send {"id":"1","type":"stop"}"#,
                #"2: {"errors":[{"message":"no"}]}"#, "2 ends", #"3: {"errors":[{"message":"no"}]}"#, "3 ends",
                #"send {"type":"connection_terminate"}"#, "close 1000", "disconnected",
            ])
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        let fact: String
        let subprotocol: WebSocketOptions.Subprotocol
        /// The server's messages to an acknowledged connection with the subscription 1.
        let heard: [String]
        let done: [String]
        var testDescription: String { fact }

        init(
            _ fact: String, _ subprotocol: WebSocketOptions.Subprotocol = .graphqlTransportWS, _ heard: String...,
            then done: [String]
        ) {
            (self.fact, self.subprotocol, self.heard, self.done) = (fact, subprotocol, heard, done)
        }

        /// The message is not part of the protocol, so that all operations end.
        static func invalid(
            _ heard: String, _ what: String, _ subprotocol: WebSocketOptions.Subprotocol = .graphqlTransportWS
        ) -> Rule {
            let text = "the server sent a message that the protocol does not allow: \(what)"
            return Rule(
                "invalid: \(heard)", subprotocol, heard,
                then: [
                    subprotocol == .graphqlWS ? #"send {"type":"connection_terminate"}"# : nil,
                    "close \(subprotocol == .graphqlWS ? 1002 : 4400) \(text.beginning)", "1 ends: \(text)",
                    "disconnected",
                ].compactMap { $0 })
        }
    }

    @Test(
        "each message of the server has its effect",
        arguments: [
            Rule("a ping is answered", .graphqlTransportWS, #"{"type":"ping"}"#, then: [#"send {"type":"pong"}"#]),
            Rule(
                "the payload of a ping comes back as it is", .graphqlTransportWS,
                #"{"payload":{"k" : "\u00e4"},"type":"ping"}"#,
                then: [#"send {"type":"pong","payload":{"k" : "\u00e4"}}"#]),
            Rule(
                "a null payload is none", .graphqlTransportWS, #"{"type":"ping","payload":null}"#,
                then: [#"send {"type":"pong"}"#]),
            Rule(
                "a pong that nobody asked for is ignored", .graphqlTransportWS, #"{"type":"pong","payload":{}}"#,
                then: []),
            Rule("a second acknowledgement is ignored", .graphqlTransportWS, #"{"type":"connection_ack"}"#, then: []),
            Rule(
                "an unknown id is ignored", .graphqlTransportWS,
                #"{"type":"next","id":"9","payload":{}}"#, #"{"type":"complete","id":"x"}"#,
                #"{"type":"error","id":"9","payload":[]}"#, then: []),
            Rule(
                "after complete nothing is delivered", .graphqlTransportWS,
                #"{"type":"complete","id":"1"}"#, #"{"type":"next","id":"1","payload":{}}"#,
                #"{"type":"complete","id":"1"}"#, #"{"type":"error","id":"1","payload":[]}"#, then: ["1 ends"]),
            Rule(
                "after error nothing is delivered", .graphqlTransportWS,
                #"{"type":"error","id":"1","payload":[{"message":"a"}]}"#, #"{"type":"next","id":"1","payload":{}}"#,
                then: [#"1: {"errors":[{"message":"a"}]}"#, "1 ends"]),
            Rule(
                "of two members of one name the last counts", .graphqlTransportWS,
                #"{"type":"next","id":"1","payload":{"a":1},"payload":{"a":2}}"#, then: [#"1: {"a":2} ..."#]),
            Rule(
                "unknown members are ignored", .graphqlTransportWS,
                #"{"extra":[{}],"type":"next","id":"1","payload":{}}"#, then: ["1: {} ..."]),
            .invalid("", "it is no object"),
            .invalid("[]", "it is no object"),
            .invalid(#""next""#, "it is no object"),
            .invalid("{}", "it has no type"),
            .invalid(#"{"type":7}"#, "it has no type"),
            .invalid(#"{"type":"data","id":"1","payload":{}}"#, "its type is unknown"),
            .invalid(#"{"type":"subscribe","id":"1","payload":{}}"#, "its type is unknown"),
            .invalid(#"{"type":"ka"}"#, "its type is unknown"),
            .invalid(#"{"type":"next","payload":{}}"#, "it has no id"),
            .invalid(#"{"type":"complete","id":null}"#, "it has no id"),
            .invalid(#"{"type":"next","id":"1"}"#, "a message of type 'next' has a payload of another form"),
            .invalid(
                #"{"type":"next","id":"1","payload":[]}"#, "a message of type 'next' has a payload of another form"),
            .invalid(
                #"{"type":"error","id":"1","payload":{}}"#, "a message of type 'error' has a payload of another form"),
            .invalid(
                #"{"type":"next","id":"1","payload":{}"#,
                "it is not JSON, expected ',' or '}', found the end at byte 36"),
            .invalid(#"{"type":"connection_error"}"#, "its type is unknown"),
            .invalid("{", "it is not JSON, expected a string, found the end at byte 1", .graphqlWS),
            .invalid(
                #"{"type":"data","id":"1"}"#, "a message of type 'data' has a payload of another form", .graphqlWS),
            Rule(
                "the older protocol ignores unknown types", .graphqlWS, #"{"type":"next"}"#, #"{"type":"ping"}"#,
                then: []),
            Rule(
                "an error without reason still is one", .graphqlWS, #"{"type":"error","id":"1"}"#,
                then: [#"1: {"errors":[{"message":"The server gave no reason."}]}"#, "1 ends"]),
            Rule(
                "a list of errors is taken too", .graphqlWS, #"{"type":"error","id":"1","payload":["a"]}"#,
                then: [#"1: {"errors":["a"]}"#, "1 ends"]),
            Rule(
                "connection_error refuses", .graphqlWS, #"{"type":"connection_error","payload":{"message":"who?"}}"#,
                then: [
                    #"send {"type":"connection_terminate"}"#, "close 1000 the server refused the connection ('who?')",
                    "1 ends: the server refused the connection ('who?')", "disconnected",
                ]),
        ])
    func eachMessageOfTheServerHasItsEffect(_ rule: Rule) {
        var socket = ScriptedSocket()
        socket.becomeReady(rule.subprotocol)
        for text in rule.heard { socket.hear(text) }
        #expect(socket.taken() == rule.done)
    }

    @Test(
        "before the acknowledgement, no message answers an operation",
        arguments: ["next", "error", "complete"])
    func nothingAnswersBeforeTheAcknowledgement(_ type: String) {
        var socket = ScriptedSocket()
        socket.start(1)
        socket.open()
        _ = socket.taken()
        socket.hear(#"{"type":"\#(type)","id":"1","payload":\#(type == "error" ? "[]" : "{}")}"#)
        let done = socket.taken()
        #expect(done.first?.hasPrefix("close 4400") == true)
        #expect(socket.ends[1]?.contains("before the acknowledgement") == true)
    }

    @Test("the response to a query ends it, without the server's complete")
    func aQueryEndsWithItsAnswer() {
        var socket = ScriptedSocket()
        socket.becomeReady(.graphqlTransportWS, [1, 2], .query)
        socket.hear(#"{"type":"next","id":"1","payload":{"data":{"hasNext":true}}}"#)
        #expect(socket.taken() == [#"1: {"data":{"hasNext":true}}"#, "1 ends"])
        socket.hear(#"{"type":"complete","id":"1"}"#)
        #expect(socket.taken() == [])
        socket.hear(#"{"type":"next","id":"2","payload":{"data":{}}}"#)
        _ = socket.taken()
        // A server that goes on is told to stop, once.
        socket.hear(#"{"type":"next","id":"2","payload":{"data":{}}}"#)
        socket.hear(#"{"type":"next","id":"2","payload":{"data":{}}}"#)
        #expect(socket.taken() == [#"send {"id":"2","type":"complete"}"#])
    }

    @Test("a query with incremental delivery ends with the part that says so")
    func anIncrementalQueryEndsWithItsLastPart() {
        var socket = ScriptedSocket()
        socket.becomeReady(.graphqlTransportWS, [1], .query)
        socket.hear(#"{"type":"next","id":"1","payload":{"data":{"a":1},"hasNext":true}}"#)
        socket.hear(#"{"type":"next","id":"1","payload":{"incremental":[],"hasNext": false}}"#)
        #expect(
            socket.taken() == [
                #"1: {"data":{"a":1},"hasNext":true} ..."#, #"1: {"incremental":[],"hasNext": false}"#, "1 ends",
            ])
    }

    @Test("events of a connection that was given up are ignored")
    func anOldConnectionIsIgnored() {
        var socket = ScriptedSocket()
        socket.becomeReady()
        let old = socket.connection
        socket.hearClose(1006)
        socket.fire(.backoff)
        socket.open()
        _ = socket.taken()
        socket.handle(.message(connection: old, Array(#"{"type":"connection_ack"}"#.utf8)))
        socket.handle(.closed(connection: old, code: 4400, reason: ""))
        socket.handle(.broke(connection: old, CancellationError()))
        socket.handle(.opened(connection: old, subprotocol: nil, payload: nil))
        #expect(socket.taken() == [])
    }

    @Test("a message that is too long ends the connection")
    func aLongMessageEndsTheConnection() {
        var socket = ScriptedSocket { $0.maximumMessageSize = 40 }
        socket.becomeReady()
        socket.hear(#"{"type":"next","id":"1","payload":{"a":"12345678"}}"#)
        #expect(socket.taken().first?.hasPrefix("close 1009") == true)
        #expect(socket.ends[1] == "the server sent a message of more than 40 bytes")
    }

    @Test("the number of operations that wait is limited")
    func theNumberOfWaitingOperationsIsLimited() {
        var socket = ScriptedSocket { $0.maximumQueuedOperations = 2 }
        for id in 1...3 { socket.start(id) }
        #expect(socket.ends == [3: "2 operations wait for the socket already"])
        socket.handle(.stop(1))
        socket.start(4)
        socket.open()
        socket.hear(#"{"type":"connection_ack"}"#)
        socket.start(5)
        #expect(socket.ends.count == 1)
        #expect(socket.machine.operations.keys.sorted() == [2, 4, 5])
    }

    @Test("a server that chooses none of the offered subprotocols is left", arguments: [nil, "mqtt"])
    func anUnknownSubprotocolEndsTheConnection(_ name: String?) {
        var socket = ScriptedSocket()
        socket.start(1)
        socket.handle(.opened(connection: socket.connection, subprotocol: name, payload: nil))
        #expect(socket.taken().contains { $0.hasPrefix("close 4406") })
        #expect(socket.ends[1]?.hasPrefix("the server chose") == true)
    }

    @Test("with a slow consumer nothing is read, not even for others, until it takes a response")
    func aSlowConsumerStopsTheReading() {
        var socket = ScriptedSocket { $0.maximumWaitingResponses = 2 }
        socket.becomeReady(.graphqlTransportWS, [1, 2])
        socket.showsReading = true
        socket.hear(#"{"type":"next","id":"1","payload":{}}"#)
        #expect(socket.taken() == ["1: {} ...", "read"])
        socket.hear(#"{"type":"next","id":"1","payload":{}}"#)
        #expect(socket.taken() == ["1: {} ..."])
        socket.handle(.consumed(2))
        #expect(socket.taken() == [])
        socket.handle(.consumed(1))
        #expect(socket.taken() == ["read"])
        socket.hear(#"{"type":"next","id":"1","payload":{}}"#)
        #expect(socket.taken() == ["1: {} ..."])
        // The end of the slow operation lets the others go on.
        socket.handle(.stop(1))
        #expect(socket.taken() == [#"send {"id":"1","type":"complete"}"#, "read"])
    }

    @Test("the machine does not read from a peer that does not read")
    func aPeerThatDoesNotReadIsNotRead() {
        var machine = SocketMachine(options: WebSocketOptions(), random: SeededGenerator(seed: 1))
        _ = machine.handle(.start(1, SocketOperation(kind: .subscription, payload: [])))
        var isReading = machine.handle(.opened(connection: 1, subprotocol: "graphql-transport-ws", payload: nil))
            .hasRead
        isReading = machine.handle(.message(connection: 1, Array(#"{"type":"connection_ack"}"#.utf8))).hasRead
        var pongs = 0
        while isReading, pongs < 10_000 {
            isReading = machine.handle(.message(connection: 1, Array(#"{"type":"ping"}"#.utf8))).hasRead
            pongs += 1
        }
        #expect(pongs == SocketMachine.maximumUnsent - 2)
        #expect(machine.handle(.sent(connection: 1)).hasRead)
    }
}

extension [SocketMachine.Action] {
    var hasRead: Bool { contains { if case .read = $0 { true } else { false } } }
}
