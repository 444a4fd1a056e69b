import Baton

/// The cost of adding a page to a long connection, and of updates of a long connection.
struct ConnectionBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        guard
            ["connection.append-us", "connection.growth", "connection.growth-100k", "connection.insert-us"].contains(
                where: options.wants)
        else { return }
        let stages = try [1_000, 10_000, 100_000].map { try LongConnection(length: $0) }
        let (short, middle, long) = (stages[0], stages[1], stages[2])
        let runs = options.runs(200)

        try report.figure(
            "connection.append-us", unit: "us", better: .lower,
            "a response with a page of \(LongConnection.page) after the end of \(middle.length), read and published"
        ) {
            Measurement(try (0..<runs).map { _ in try middle.append() * 1e6 })
        }
        try report.figure(
            "connection.growth", unit: "x", target: 1.5, better: .lower,
            "the same: \(middle.length) against \(short.length)"
        ) {
            try ratio(runs: runs, of: { try middle.append() }, to: { try short.append() })
        }
        try report.figure(
            "connection.growth-100k", unit: "x", better: .lower,
            "the same: \(long.length) against \(middle.length); the list of links alone is 400 KB"
        ) {
            try ratio(runs: runs / 2 + 1, of: { try long.append() }, to: { try middle.append() })
        }
        try report.figure(
            "connection.insert-us", unit: "us", better: .lower,
            "an update that appends one node to \(middle.length)"
        ) {
            Measurement(try (0..<runs).map { _ in try middle.insert() * 1e6 })
        }
    }
}

/// A connection of many nodes that grows by pages.
private final class LongConnection {
    static let page = 20
    private static let plan =
        "(first,after){nodes(after:$after,first:$first):NodeConnection@connection(\"List_nodes\"){edges:[NodeEdge]{node:+Item{id:ID! name:String score:Int} cursor:String} pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}"
    private static let artifact = GeneratedCode.OperationArtifact(
        name: "List", kind: .query, text: "", normalization: plan, reader: plan)

    let length: Int
    private let store = Store()
    private var count = 0
    private var inserted = 0

    init(length: Int) throws {
        self.length = length
        _ = try land(length, after: nil)
        // Warms up: the first pages make the buffers grow.
        for _ in 0..<3 { _ = try append() }
    }

    /// Appends a page; returns the time in seconds.
    func append() throws -> Double { try land(Self.page, after: "c\(count)") }

    private func land(_ size: Int, after cursor: String?) throws -> Double {
        var variables: [JSONValue.Member] = [.init("first", .int(size))]
        if let cursor { variables.append(.init("after", .string(cursor))) }
        let operation = store.bind(Self.artifact, variables: .object(variables))
        let body = Array(answer(size).utf8)
        count += size
        return try time { store.publish(try store.normalize(body, for: operation), for: operation) }
    }

    private func answer(_ size: Int) -> String {
        let edges = (count + 1...count + size).map { index in
            #"{"node":{"id":"item-\#(index)","name":"The item \#(index)","score":\#(index)},"cursor":"c\#(index)"}"#
        }
        let info = #"{"endCursor":"c\#(count + size)","hasNextPage":true}"#
        return #"{"data":{"nodes":{"edges":[\#(edges.joined(separator: ","))],"pageInfo":\#(info)}}}"#
    }

    /// Appends a node in an update; returns the time in seconds.
    func insert() throws -> Double {
        inserted += 1
        let id = DataID("own-\(inserted)")
        return try time {
            _ = try store.update { records in
                guard let connection = records.connection(on: records.root, key: "List_nodes") else {
                    throw BenchmarkFailure(what: "the connection is not in the store")
                }
                let node = try records.create(id, type: "Item")
                try node.setValue(.string(id.rawValue), forField: "id")
                guard try connection.append(node: node) else {
                    throw BenchmarkFailure(what: "the node was in the connection already")
                }
            }
        }
    }
}
