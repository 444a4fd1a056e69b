import BatonHTTP
import Foundation

/// Measures the network on loopback, each client in a process of its own, against a server in another one.
///
///     swift run -c release NetworkLoad [--operations 1000] [--requests 20000] [--subscriptions 1000] [--rounds 3]
///
/// The clients take turns, so that a busy moment of the machine affects all of them. The program prints the median of
/// each figure. It fails if a response or an event is missing.
@main struct Program {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "serve": try await CannedServer.run()
        case "requests", "subscriptions": try await measure(Array(arguments.dropFirst()))
        default: try await compare(arguments)
        }
    }

    private static func compare(_ arguments: [String]) async throws {
        func number(_ name: String, _ usual: Int) -> Int {
            guard let place = arguments.firstIndex(of: "--\(name)"), place + 1 < arguments.count else { return usual }
            return Int(arguments[place + 1]) ?? usual
        }
        let children = try Children(program: arguments[0])
        defer { children.stop() }
        let (operations, requests) = (number("operations", 1000), number("requests", 20_000))
        let (subscriptions, rounds) = (number("subscriptions", 1000), number("rounds", 3))
        let body = try await RequestLoad(url: children.url, concurrency: 1, requests: 1).body()
        var runs: [String: [Measurement]] = [:]
        for _ in 0..<rounds {
            for client in RequestLoad.Client.allCases {
                runs[client.rawValue, default: []].append(
                    try children.measure(["requests", client.rawValue, "\(operations)", "\(requests)"]))
            }
            for connections in [RequestLoad.connections, operations] {
                guard let run = try children.wrk(connections: connections, body: body) else { continue }
                runs["wrk, \(connections) connections", default: []].append(run)
            }
            for client in SubscriptionLoad.Client.allCases {
                runs[client.rawValue, default: []].append(
                    try children.measure(["subscriptions", client.rawValue, "\(subscriptions)"]))
            }
        }
        let base = Measurement.median(runs[RequestLoad.Client.asyncHTTPClient.rawValue] ?? []).rate
        let clients =
            RequestLoad.Client.allCases.map(\.rawValue)
            + [RequestLoad.connections, operations].map { "wrk, \($0) connections" }
        for name in clients {
            guard let result = runs[name].map(Measurement.median) else { continue }
            let share = Int((result.rate / base * 100).rounded())
            print(
                "\(name), \(operations) operations: \(Int(result.rate)) requests a second (\(share) %), "
                    + "latency \(result.median) ms, 99 % within \(result.percentile99) ms"
                    + (result.threads > 0 ? ", \(holdings(result))" : ""))
        }
        for client in SubscriptionLoad.Client.allCases {
            guard let result = runs[client.rawValue].map(Measurement.median) else { continue }
            print(
                "\(subscriptions) subscriptions, \(client.rawValue): \(Int(result.rate)) events a second, "
                    + "all of one after \(result.median) ms, 99 % within \(result.percentile99) ms, \(holdings(result))"
            )
        }
    }

    private static func holdings(_ result: Measurement) -> String {
        "\(result.memory) bytes each, \(result.threads) threads"
    }

    /// Measures one client, and writes what it has shown for the process that compares.
    private static func measure(_ arguments: [String]) async throws {
        struct WrongArguments: Error {}
        let numbers = arguments.compactMap { Int($0) }
        guard let url = arguments.last.flatMap({ URL(string: $0) }), arguments.count > 2, let count = numbers.first
        else { throw WrongArguments() }
        let result: Measurement
        if let client = RequestLoad.Client(rawValue: arguments[1]), numbers.count > 1 {
            result = try await RequestLoad(url: url, concurrency: count, requests: numbers[1]).run(client)
        } else if let client = SubscriptionLoad.Client(rawValue: arguments[1]) {
            result = try await SubscriptionLoad(url: url, count: count).run(client)
        } else {
            throw WrongArguments()
        }
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }
}
