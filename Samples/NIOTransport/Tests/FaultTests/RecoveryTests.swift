import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import Testing

/// The work that continues after a fault, or in spite of it.
extension FaultTests {
    @Test(arguments: TransportKind.allCases, Shape.allCases)
    func aSlowAnswerIsWhole(_ transport: TransportKind, _ shape: Shape) async throws {
        try await FaultProxy.run { proxy in
            let application = try await Application(proxy, transport.make())
            let outcome = try await Outcome(
                application.environment, shape, .slow(pieceSize: 5, milliseconds: 1))
            #expect(outcome.kind == nil, "\(outcome)")
            #expect(outcome.values == shape.values)
        }
    }

    /// The rest of a response that is longer than its length must not be taken for the next response.
    @Test(arguments: TransportKind.allCases, [-10, 10])
    func anAnswerWithAWrongLengthDoesNotHarmTheNextOne(_ transport: TransportKind, _ difference: Int) async throws {
        try await FaultProxy.run { proxy in
            // Only what never comes is waited for.
            let limits = difference < 0 ? Limits() : Limits(silenceTimeout: .milliseconds(600))
            let application = try await Application(proxy, transport.make(), limits)
            let outcome = try await Outcome(application.environment, .length, .wrongLength(by: difference))
            #expect(outcome.kind == (difference < 0 ? .invalidResponse : .stalled), "\(outcome)")
            // The rest may arrive when the connection has its next request already, and end both.
            let environment = try application.copy(over: application.patient)
            for kinds in [[nil, .closed], [nil]] as [[ErrorKind?]] {
                let next = try await Outcome(environment, .length, .none)
                #expect(kinds.contains(next.kind), "\(next)")
                #expect(next.values == (next.kind == nil ? ["Zephyr"] : []))
            }
        }
    }

    /// Events that came before the fault stay delivered. A machine that is busy with something else may be silent
    /// before them too: then a longer silence decides.
    @Test(arguments: TransportKind.allCases)
    func aSilentStreamEndsAfterItsEvents(_ transport: TransportKind) async throws {
        try await FaultProxy.run { proxy in
            let end = try await proxy.response(.events).eventEnds[1]
            var values: [String] = []
            for limit in [Duration.milliseconds(800), .seconds(8), .seconds(80)] where values.count < 2 {
                let application = try await Application(proxy, transport.make(), Limits(silenceTimeout: limit))
                let outcome = try await Outcome(application.environment, .events, .silent(after: end))
                #expect(outcome.kind == .stalled, "\(outcome)")
                values = outcome.values
            }
            #expect(values == ["1", "2"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func anUploadThatNobodyReadsIsATypedError(_ transport: TransportKind) async throws {
        let file = Upload(variable: "file", fileName: "a", content: .bytes([UInt8](repeating: 97, count: 32 << 20)))
        let fault = Fault.deaf(milliseconds: 500)
        try await FaultProxy.run { proxy in
            let traces: Traces
            do {
                let made = try transport.make()
                let application = try await Application(proxy, made, Limits(silenceTimeout: .milliseconds(100)))
                traces = Traces(application, made)
                let error = await #expect(throws: RelayError.self) {
                    try await application.environment.commit(
                        StowOneMutation(file: ""),
                        configuration: RequestConfiguration(headers: [Fault.header: try fault.text], uploads: [file]))
                }
                #expect(error.map { ErrorKind($0) } == .stalled)
                #expect(application.environment.records.description == application.good)
            }
            #expect(await eventually { traces.areGone })
            #expect(await eventually { proxy.traffic.connections == 0 })
            #expect(await eventually { Holdings.connections(proxy.port) == 0 })
        }
    }

    /// Applications are made one after the other. Each meets a fault, and is released.
    @Test(arguments: TransportKind.allCases)
    func nothingStaysAfterManyFaults(_ transport: TransportKind) async throws {
        let faults: [(Shape, Fault)] = [
            (.length, .cut(after: 100)), (.chunks, .reset(after: 100)), (.parts, .cut(after: 300)),
            (.events, .silent(after: 130)), (.length, .wrongLength(by: 10)), (.length, .longField(1 << 20)),
            (.length, .notHTTP), (.length, .bomb),
        ]
        try await FaultProxy.run { proxy in
            func meetAll() async throws {
                for (shape, fault) in faults {
                    let limits = Limits(silenceTimeout: .milliseconds(25), bodySize: 1 << 20)
                    let application = try await Application(proxy, transport.make(), limits)
                    let outcome = try await Outcome(application.environment, shape, fault)
                    #expect(outcome.kind != nil, "\(shape) \(fault)")
                }
                #expect(await eventually { Holdings.connections(proxy.port) == 0 })
            }
            // Threads, pools and tables are made once.
            for _ in 0..<2 { try await meetAll() }
            let (memory, descriptors) = (Holdings.trimmedMemory, Holdings.descriptors.count)
            for _ in 0..<6 { try await meetAll() }
            // These were 48 transports. A single descriptor that each of them left open would show.
            #expect(await eventually { Holdings.descriptors.count < descriptors + 24 })
            #expect(Holdings.trimmedMemory - memory < 48 << 20)
        }
    }
}
