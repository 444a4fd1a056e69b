import Baton
import BatonHTTP
import Foundation
import Testing

extension FaultTests {
    /// The way in which a response ends too early.
    enum Ending: CaseIterable {
        case cut, reset

        func fault(_ count: Int) -> Fault { self == .cut ? .cut(after: count) : .reset(after: count) }
        /// The number of bytes between two tested ends.
        var step: Int { self == .cut ? 1 : 3 }
    }

    /// The outcome of one end.
    private struct Result: Sendable {
        let count: Int
        let outcome: Outcome
        let store: String
    }

    @Test(arguments: TransportKind.allCases, Shape.allCases)
    func aResponseThatEndsAnywhereIsWholeOrATypedError(_ transport: TransportKind, _ shape: Shape) async throws {
        try await FaultProxy.run { proxy in
            for ending in Ending.allCases {
                try await endEverywhere(proxy, transport, shape, ending)
            }
            #expect(await eventually { proxy.traffic.connections == 0 })
            #expect(await eventually { Holdings.connections(proxy.port) == 0 })
        }
    }

    private func endEverywhere(
        _ proxy: FaultProxy, _ transport: TransportKind, _ shape: Shape, _ ending: Ending
    ) async throws {
        let response = try await proxy.response(shape)
        let application = try await Application(proxy, transport.make())
        let counts = stride(from: 0, through: response.bytes.count, by: ending.step).filter {
            !(transport == .urlSession && ending == .cut && response.isFatalToURLSession(at: $0))
        }
        let results = try await inLanes(counts) { count in
            let fault = ending.fault(count)
            while true {
                let environment = try application.copy()
                let outcome = try await Outcome(environment, shape, fault)
                #expect(await environment.settled(timeout: .seconds(60)).isEmpty)
                // The connection of a complete response is kept, and may be closed before the next request has reached
                // the proxy. A request that has reached the proxy was sent once.
                let arrivals = proxy.traffic.arrivals(of: fault)
                #expect(arrivals <= 1)
                if arrivals == 0, outcome.kind == .closed { continue }
                return Result(count: count, outcome: outcome, store: environment.records.description)
            }
        }
        for result in results {
            check(result, response, application, shape, ending)
        }
    }

    private func check(
        _ result: Result, _ response: RawResponse, _ application: Application, _ shape: Shape, _ ending: Ending
    ) {
        let (count, outcome) = (result.count, result.outcome)
        if outcome.kind == nil {
            #expect(count >= response.needed, "\(shape) \(ending) after \(count)")
            #expect(outcome.values.last == shape.values.last)
        } else {
            #expect(count < response.bytes.count || ending == .reset, "\(shape) \(ending) after \(count): \(outcome)")
            let kinds: Set<ErrorKind?> = shape == .close ? [.closed, .invalidResponse, .emptyBody] : [.closed]
            #expect(kinds.contains(outcome.kind), "\(shape) \(ending) after \(count): \(outcome)")
        }
        if shape == .events {
            // The events before the end were delivered in order.
            let complete = response.eventEnds.count { $0 <= count }
            #expect(outcome.values == Array(shape.values.prefix(outcome.values.count)))
            #expect(outcome.values.count <= complete)
            if ending == .cut { #expect(outcome.values.count == complete, "after \(count)") }
        } else if outcome.kind != nil, !outcome.values.isEmpty {
            // The first part of a response in parts has arrived.
            #expect(shape == .parts && Set(outcome.values) == ["Zephyr: nothing"])
        }
        #expect(result.store == expectedStore(application, shape, outcome), "\(shape) \(ending) after \(count)")
    }

    /// The good store with the data that were delivered.
    private func expectedStore(_ application: Application, _ shape: Shape, _ outcome: Outcome) -> String {
        if outcome.values.isEmpty { return application.good }
        switch shape {
        case .length, .chunks, .close: return application.renamed
        case .parts:
            guard outcome.kind == nil else { return application.renamed }
            return application.renamed.replacingOccurrences(
                of: "  name", with: "  log(delay:0) \"At sea.\"\n  name")
        case .events:
            let events = outcome.values.map { "\nsubscription#\($0) __Root\n  ticks(count:3,delay:0) \($0)" }
            return application.good + events.joined()
        }
    }

    /// Runs the work for all numbers, four at a time.
    private func inLanes<Value: Sendable>(
        _ numbers: [Int], _ work: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: [Value].self) { group in
            for lane in 0..<4 {
                group.addTask {
                    var values: [Value] = []
                    for number in numbers where number % 4 == lane { values.append(try await work(number)) }
                    return values
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

extension Shape {
    /// The values in the complete response.
    var values: [String] {
        switch self {
        case .length, .chunks, .close: ["Zephyr"]
        case .parts: ["Zephyr: nothing", "Zephyr: At sea."]
        case .events: ["1", "2", "3"]
        }
    }
}

extension RawResponse {
    /// The number of bytes without which the response is incomplete.
    fileprivate var needed: Int {
        let text = String(decoding: bytes, as: UTF8.self)
        if let end = text.range(of: "event: complete") { return text[..<end.upperBound].utf8.count }
        let end = text.lastIndex(of: "}") ?? text.startIndex
        return text[...end].utf8.count
    }

    /// The numbers of bytes after which an event is complete.
    var eventEnds: [Int] {
        String(decoding: bytes, as: UTF8.self).ranges(of: "}}\n\n").map { range in
            String(decoding: bytes, as: UTF8.self)[..<range.upperBound].utf8.count
        }
    }

    /// Whether Foundation on Linux ends the process when the connection is closed in order at this point: within the
    /// head, after its first line (https://github.com/swiftlang/swift-corelibs-foundation/issues/5285).
    func isFatalToURLSession(at count: Int) -> Bool {
        #if canImport(Darwin)
            false
        #else
            count < head.utf8.count && count >= head.prefix { $0 != "\r\n" }.utf8.count + 2
        #endif
    }
}
