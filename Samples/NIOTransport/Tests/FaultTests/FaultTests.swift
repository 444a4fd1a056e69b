import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import Testing

/// Everything that may go wrong on the way, over all transports. One test at a time, because memory and sockets are
/// counted.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct FaultTests {
    /// A fault, and the errors in which it may end.
    struct Case: CustomTestStringConvertible {
        let name: String
        var shape = Shape.length
        let fault: Fault
        var limits = Limits()
        let kinds: [ErrorKind]
        /// Other errors over URLSession or libcurl, where they have their own.
        var kindsOfURLSession: [ErrorKind]?
        var kindsOfCurl: [ErrorKind]?

        var testDescription: String { name }

        func kinds(_ transport: TransportKind) -> [ErrorKind] {
            switch transport {
            case .urlSession: kindsOfURLSession ?? kinds
            case .curl: kindsOfCurl ?? kinds
            case .nio: kinds
            }
        }
    }

    private static let quick = Limits(silenceTimeout: .milliseconds(300))
    private static let short = Limits(timeout: .milliseconds(250))
    private static let small = Limits(bodySize: 4 << 20)

    static let cases: [Case] = [
        Case(
            name: "slower than the time limit", fault: .slow(pieceSize: 1, milliseconds: 100), limits: short,
            kinds: [.timedOut]),
        Case(name: "cut before the head", fault: .cut(after: 0), kinds: [.closed]),
        Case(name: "cut in the head", fault: .cut(after: 30), kinds: [.closed]),
        Case(name: "cut in the body", fault: .cut(after: 100), kinds: [.closed]),
        Case(name: "cut in chunks", shape: .chunks, fault: .cut(after: 120), kinds: [.closed]),
        Case(name: "cut in parts", shape: .parts, fault: .cut(after: 150), kinds: [.closed]),
        Case(name: "reset before the head", fault: .reset(after: 0), kinds: [.closed]),
        Case(name: "reset in the head", fault: .reset(after: 30), kinds: [.closed]),
        Case(name: "reset in the body", fault: .reset(after: 100), kinds: [.closed]),
        Case(name: "silent before the head", fault: .silent(after: 0), limits: quick, kinds: [.stalled]),
        Case(name: "silent in the head", fault: .silent(after: 30), limits: quick, kinds: [.stalled]),
        Case(name: "silent in the body", fault: .silent(after: 100), limits: quick, kinds: [.stalled]),
        Case(name: "silent and late", fault: .silent(after: 100), limits: short, kinds: [.timedOut]),
        Case(name: "silent in parts", shape: .parts, fault: .silent(after: 150), limits: quick, kinds: [.stalled]),
        Case(name: "silent in events", shape: .events, fault: .silent(after: 60), limits: quick, kinds: [.stalled]),
        Case(name: "too long a length", fault: .wrongLength(by: 10), limits: quick, kinds: [.stalled]),
        Case(name: "too short a length", fault: .wrongLength(by: -10), kinds: [.invalidResponse]),
        Case(name: "a field of 1 MB", fault: .longField(1 << 20), kinds: [.notHTTP]),
        Case(name: "100,000 fields", fault: .manyFields(100_000), kinds: [.notHTTP]),
        Case(name: "1 GB with its length", fault: .flood(.length), kinds: [.bodyTooLarge]),
        Case(
            name: "1 GB in chunks", fault: .flood(.chunks), kinds: [.bodyTooLarge],
            kindsOfURLSession: [.bodyTooLarge, .overrun]),
        Case(
            name: "1 GB up to the end", fault: .flood(.close), kinds: [.bodyTooLarge],
            kindsOfURLSession: [.bodyTooLarge, .overrun]),
        Case(
            name: "1 GB in one part", shape: .parts, fault: .flood(.chunks), limits: small, kinds: [.partTooLarge],
            kindsOfURLSession: [.partTooLarge, .overrun]),
        Case(
            name: "1 GB in one event", shape: .events, fault: .flood(.chunks), limits: small, kinds: [.partTooLarge],
            kindsOfURLSession: [.partTooLarge, .overrun]),
        Case(name: "no UTF-8", fault: .notUTF8, kinds: [.invalidResponse]),
        Case(
            name: "a gzip bomb", fault: .bomb, limits: small, kinds: [.compression], kindsOfURLSession: [.bodyTooLarge],
            kindsOfCurl: [.compression, .bodyTooLarge]),
        Case(name: "no HTTP", fault: .notHTTP, kinds: [.notHTTP]),
    ]

    @Test(arguments: TransportKind.allCases, cases)
    func aFaultIsATypedErrorAndTheStoreStaysAsItWas(_ transport: TransportKind, _ fault: Case) async throws {
        try await FaultProxy.run { proxy in
            if transport == .urlSession, case .cut(let count) = fault.fault,
                try await proxy.response(fault.shape).isFatalToURLSession(at: count)
            {
                // The process would end here, and with it all tests.
                return
            }
            let memory = Holdings.trimmedMemory
            let traces: Traces
            do {
                let made = try transport.make()
                let application = try await Application(proxy, made, fault.limits)
                traces = Traces(application, made)
                let outcome = try await Outcome(application.environment, fault.shape, fault.fault)
                #expect(fault.kinds(transport).contains { $0 == outcome.kind }, "\(outcome)")
                #expect(outcome.values.isEmpty)
                #expect(proxy.traffic.arrivals(of: fault.fault) <= 1)
                #expect(application.environment.records.description == application.good)
                #expect(await application.environment.settled(timeout: .seconds(60)).isEmpty)
                let grown = max(proxy.traffic.peak, Holdings.memory) - memory
                if transport != .urlSession {
                    #expect(grown < 256 << 20)
                    #expect(proxy.traffic.flooded < fault.limits.bodySize + 32 << 20)
                } else {
                    // URLSession on Linux can neither make the server wait nor close at once, so that the whole flood
                    // may arrive.
                    #expect(grown < 512 << 20)
                }
            }
            #expect(await eventually { traces.areGone })
            #expect(await eventually { proxy.traffic.connections == 0 })
            #expect(await eventually { Holdings.connections(proxy.port) == 0 })
        }
    }
}
