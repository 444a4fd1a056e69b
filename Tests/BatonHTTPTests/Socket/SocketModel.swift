import Baton
import Foundation
import RandomCases

@testable import BatonHTTP

/// Drives a `SocketMachine` by random events of consumers, a server, a transport and a clock. Checks the machine's
/// actions against its rules.
struct SocketModel {
    private struct Operation {
        let kind: OperationKind
        let hasKey: Bool
        var isLive = true
        var delivered = 0
        var consumed = 0
        /// The last number in a response of the server to this operation.
        var lastNumber = 0
        var timesSent = 0
    }

    private struct Connection {
        let number: Int
        var isOpen = false
        var isAcknowledged = false
        var hasInitialization = false
        var subprotocol = WebSocketOptions.Subprotocol.graphqlTransportWS
        var isRead = false
        var unsent = 0
        /// The operations that were started on this connection, and the operations that the server still works on.
        var started: Set<Int> = []
        var serving: Set<Int> = []
    }

    private(set) var machine: SocketMachine
    private(set) var violations: [String] = []
    /// The number of events by kind, with which a test checks that the schedules reach every kind.
    private(set) var counts: [String: Int] = [:]
    private var random: SeededGenerator
    private let options: WebSocketOptions
    private var operations: [Int: Operation] = [:]
    private var connection: Connection?
    private var lastConnection = 0
    private var timers: [SocketMachine.Timer.Kind: SocketMachine.Timer] = [:]
    private var oldTimers: [SocketMachine.Timer] = []
    private var isPaused = false
    private var state = WebSocketState.disconnected
    private var numbers = 0
    private var log: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var options = WebSocketOptions()
        options.maximumWaitingResponses = Int.random(in: 1...3, using: &random)
        options.resendsMutations = Bool.random(using: &random)
        options.reconnecting = ReconnectPolicy(maximumAttempts: [nil, 0, 1, 3].randomElement(using: &random) ?? nil)
        options.idleTime = Bool.random(using: &random) ? .zero : .seconds(5)
        options.pingInterval = Bool.random(using: &random) ? nil : .seconds(20)
        options.maximumQueuedOperations = 6
        self.options = options
        machine = SocketMachine(options: options, random: SeededGenerator(seed: seed &+ 1))
    }

    private var live: [Int] { operations.filter(\.value.isLive).keys.sorted() }

    private mutating func check(_ holds: Bool, _ what: String) {
        if !holds, violations.count < 5 {
            violations.append("\(what)\n    " + log.suffix(14).joined(separator: "\n    "))
        }
    }

    private mutating func count(_ what: String) { counts[what, default: 0] += 1 }

    // MARK: - Schedules

    /// Does one random step.
    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: start()
        case 14..<20: if let id = live.randomElement(using: &random) { stop(id) }
        case 20..<38: consume()
        case 38 where Bool.random(using: &random): handle(.pause, "pause") { $0.isPaused = true }
        case 39..<42: handle(.resume, "resume") { $0.isPaused = false }
        case 42..<80: connect()
        case 80: loseConnection()
        case 81..<86: stale()
        case 86..<94:
            if connection?.unsent ?? 0 > 0, let number = connection?.number {
                handle(.sent(connection: number), "sent") { $0.connection?.unsent -= 1 }
            }
        default: fire()
        }
    }

    /// Ends all operations and connections.
    mutating func finish() {
        handle(.resume, "resume") { $0.isPaused = false }
        for id in live { stop(id) }
        if let timer = timers[.lingering] { fire(timer) }
        check(timers.isEmpty, "timers run at the end: \(timers.keys)")
        check(connection == nil, "a connection is left")
        check(machine.operations.isEmpty && machine.full == 0, "the machine remembers operations")
        check(machine.state == .disconnected, "the state is \(machine.state) at the end")
    }

    private mutating func start() {
        numbers += 1
        let id = numbers
        let kind = [OperationKind.subscription, .subscription, .query, .mutation].randomElement(using: &random)!
        let hasKey = Bool.random(using: &random)
        handle(.start(id, SocketOperation(kind: kind, payload: Array("{}".utf8), hasKey: hasKey)), "start \(id)") {
            $0.operations[id] = Operation(kind: kind, hasKey: hasKey)
        }
    }

    private mutating func stop(_ id: Int) {
        handle(.stop(id), "stop \(id)") { $0.operations[id]?.isLive = false }
    }

    private mutating func consume() {
        let waiting = operations.filter { $0.value.delivered > $0.value.consumed }.keys.sorted()
        guard let id = waiting.randomElement(using: &random) else { return }
        handle(.consumed(id), "consumed \(id)") { $0.operations[id]?.consumed += 1 }
    }

    private mutating func connect() {
        guard let connection else { return }
        if connection.isOpen { return hear() }
        let name = [
            "graphql-transport-ws", "graphql-transport-ws", "graphql-transport-ws", "graphql-ws", "graphql-ws", "x",
        ].randomElement(using: &random)!
        handle(.opened(connection: connection.number, subprotocol: name, payload: nil), "opened \(name)") {
            $0.connection?.isOpen = true
            if let subprotocol = WebSocketOptions.Subprotocol(rawValue: name) {
                $0.connection?.subprotocol = subprotocol
            }
        }
    }

    private mutating func loseConnection() {
        guard let connection else { return }
        if Bool.random(using: &random) || !connection.isOpen {
            handle(.broke(connection: connection.number, HTTPError.notHTTP), "broke")
        } else {
            let code = [1000, 1001, 1006, 4400, 4401, 4408, 4429].randomElement(using: &random)!
            handle(.closed(connection: connection.number, code: code, reason: ""), "closed \(code)")
        }
    }

    private mutating func stale() {
        let old = Int.random(in: 0...lastConnection, using: &random)
        if old != connection?.number {
            handle(.message(connection: old, Array(#"{"type":"connection_ack"}"#.utf8)), "message of \(old)")
            handle(.closed(connection: old, code: 4401, reason: ""), "close of \(old)")
        }
        if let timer = oldTimers.randomElement(using: &random) { handle(.fired(timer), "old timer \(timer.kind)") }
    }

    private mutating func fire() {
        let kinds = timers.keys.sorted { "\($0)" < "\($1)" }
        if let kind = kinds.randomElement(using: &random), let timer = timers[kind] { fire(timer) }
    }

    private mutating func fire(_ timer: SocketMachine.Timer) {
        count("\(timer.kind)")
        handle(.fired(timer), "fired \(timer.kind)") {
            $0.timers[timer.kind] = nil
            $0.oldTimers.append(timer)
        }
    }

    // MARK: - The server

    private mutating func hear() {
        guard let connection, connection.isRead else { return }
        let isNew = connection.subprotocol == .graphqlTransportWS
        guard connection.isAcknowledged || Int.random(in: 0..<30, using: &random) == 0 else {
            return hear(#"{"type":"connection_ack"}"#) { $0.connection?.isAcknowledged = true }
        }
        let known = Array(1...max(numbers, 1))
        let id =
            (connection.serving.isEmpty || Int.random(in: 0..<6, using: &random) == 0
            ? known : connection.serving.sorted())
            .randomElement(using: &random) ?? 1
        let isServing = connection.serving.contains(id)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<12:
            numbers += 1
            let more = Bool.random(using: &random) ? #","hasNext":true"# : ""
            hear(
                #"{"payload":{"n":\#(numbers)\#(more)},"type":"\#(isNew ? "next" : "data")","id":"\#(id)"}"#)
        case 12..<15: hear(#"{"type":"complete","id":"\#(id)"}"#) { $0.connection?.serving.remove(id) }
        case 15 where isServing:
            hear(#"{"type":"error","id":"\#(id)","payload":[{"n":0}]}"#) {
                $0.connection?.serving.remove(id)
            }
        case 16: hear(isNew ? #"{"type":"ping","payload":{}}"# : #"{"type":"ka"}"#)
        case 17: hear(isNew ? #"{"type":"pong"}"# : #"{"type":"ka"}"#)
        case 18: hear(#"{"type":"connection_ack"}"#) { $0.connection?.isAcknowledged = true }
        case 19: if Int.random(in: 0..<20, using: &random) == 0 { hear(#"{"type":"#) }
        default: break
        }
    }

    private mutating func hear(_ text: String, _ before: (inout Self) -> Void = { _ in }) {
        guard let number = connection?.number else { return }
        handle(.message(connection: number, Array(text.utf8)), text) {
            before(&$0)
            $0.connection?.isRead = false
        }
    }

    // MARK: - What must hold

    private mutating func handle(
        _ event: SocketMachine.Event, _ name: String, _ before: (inout Self) -> Void = { _ in }
    ) {
        log.append(name)
        before(&self)
        for action in machine.handle(event) { take(action) }
        checkState()
    }

    private mutating func take(_ action: SocketMachine.Action) {
        log.append("    \(action)".prefix(160).description)
        switch action {
        case .connect(let number):
            check(connection == nil && number > lastConnection, "a connection is made beside another")
            check(!isPaused, "a connection is made during a pause")
            connection = Connection(number: number)
            lastConnection = number
        case .send(let number, let text): takeSending(number, String(decoding: text, as: UTF8.self))
        case .read(let number):
            check(connection?.number == number && connection?.isOpen == true, "a read without a connection")
            check(connection?.isRead == false, "two reads at once")
            connection?.isRead = true
        case .close(let number, _, _), .drop(let number):
            check(connection?.number == number, "the end of a connection that is not there")
            connection = nil
        case .deliver(let id, let response): takeDelivery(id, response)
        case .end(let id, let error):
            check(operations[id]?.isLive == true, "\(id) ends twice, or never began")
            operations[id]?.isLive = false
            count(error.map { "\(($0 as? WebSocketError).map { "\($0)".prefix(12) } ?? "other")" } ?? "complete")
        case .report(let id, let new):
            check(operations[id]?.isLive == true, "a report to \(id), which is over")
            check(new == state.report, "a report of another state")
        case .state(let new):
            check(new != state, "a state that is not new")
            state = new
        case .startTimer(let timer, _):
            check(timers[timer.kind] == nil, "the timer \(timer.kind) starts twice")
            timers[timer.kind] = timer
        case .cancelTimer(let timer):
            check(timers[timer.kind] == timer, "a timer is cancelled that does not run")
            timers[timer.kind] = nil
            oldTimers.append(timer)
        }
    }

    private mutating func takeSending(_ number: Int, _ text: String) {
        check(connection?.number == number && connection?.isOpen == true, "sent without a connection")
        connection?.unsent += 1
        guard let message = try? JSONValue.parse(text), case .string(let type)? = message["type"] else {
            return check(false, "sent what is no message: \(text)")
        }
        var id = 0
        if case .string(let name)? = message["id"] { id = Int(name) ?? 0 }
        let isNew = connection?.subprotocol == .graphqlTransportWS
        switch type {
        case "connection_init":
            check(connection?.hasInitialization == false, "two initializations")
            connection?.hasInitialization = true
        case "subscribe", "start":
            check((type == "subscribe") == isNew, "a word of the other protocol")
            check(connection?.isAcknowledged == true, "\(id) is sent before the acknowledgement")
            check(connection?.started.insert(id).inserted == true, "\(id) is sent twice on one connection")
            check(operations[id]?.isLive == true, "\(id) is sent after its end")
            connection?.serving.insert(id)
            operations[id]?.timesSent += 1
            guard let operation = operations[id], operation.timesSent > 1 else { return }
            count("sent again")
            let mayBeRepeated = operation.kind != .mutation || operation.hasKey && options.resendsMutations
            check(mayBeRepeated, "the mutation \(id) is sent again")
            check(operation.kind == .subscription || operation.lastNumber == 0, "\(id) is sent again after a part")
        case "complete", "stop":
            check((type == "complete") == isNew, "a word of the other protocol")
            check(connection?.started.contains(id) == true, "\(id) is stopped before it was sent")
            connection?.serving.remove(id)
        default: break
        }
    }

    private mutating func takeDelivery(_ id: Int, _ response: NetworkResponse) {
        check(operations[id]?.isLive == true, "a delivery to \(id), which is over")
        check(connection?.started.contains(id) == true, "a delivery to \(id), which was not sent")
        operations[id]?.delivered += 1
        count("delivery")
        guard let value = try? JSONValue.parse(response.body), case .int(let number)? = value["n"] else { return }
        check(number > operations[id]?.lastNumber ?? 0, "\(id) gets responses in another order")
        operations[id]?.lastNumber = number
    }

    private mutating func checkState() {
        check(machine.operations.keys.sorted() == live, "the machine knows other operations")
        check(machine.state == state, "a state was not told")
        let full = operations.values.filter {
            $0.isLive && $0.delivered - $0.consumed >= options.maximumWaitingResponses
        }
        for operation in operations.values where operation.isLive {
            let waiting = operation.delivered - operation.consumed
            check(waiting <= options.maximumWaitingResponses, "too many responses wait")
        }
        if let connection {
            if connection.isAcknowledged {
                check(Set(live).isSubset(of: connection.started), "an operation was not sent")
            }
            if connection.isOpen {
                let mayRead = full.isEmpty && connection.unsent < SocketMachine.maximumUnsent
                check(connection.isRead || !mayRead, "nothing is read")
                check(!connection.isRead || full.isEmpty, "read although a consumer is slow")
            }
            check(!live.isEmpty || timers[.lingering] != nil, "a connection without use stays")
        } else {
            check(live.isEmpty || isPaused || timers[.backoff] != nil, "operations wait for nothing")
            check(timers.keys.allSatisfy { $0 == .backoff }, "timers run without a connection")
        }
        if !full.isEmpty { count("slow consumer") }
    }
}
