import Baton

/// Writing answers of all shapes from bytes to published records, compared with a scan of the same bytes.
struct ShapeBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        for shape in ShapePayload.all {
            let ids = ["vs-scan", "again.vs-scan", "growth"].map { "shape.\(shape.name).\($0)" }
            guard ids.contains(where: options.wants) else { continue }
            let (few, many) = (shape.body(scale: 1), shape.body(scale: options.quick ? 2 : 5))
            try report.figure(
                ids[0], unit: "x", target: 6, better: .lower,
                "\(shape.note): bytes to published store, \(few.count / 1000) KB, against a scan of them"
            ) { try ratio(runs: options.runs(21), of: { try Self.write(few, shape) }, to: { try Self.scan(few) }) }
            try report.figure(
                ids[1], unit: "x", target: 6, better: .lower, "the same response once more, against a scan of it"
            ) {
                let store = Store()
                let operation = shape.bind(store)
                _ = try Self.write(few, operation, store)
                return try ratio(runs: options.runs(21)) {
                    try Self.write(few, operation, store)
                } to: {
                    try Self.scan(few)
                }
            }
            try report.figure(
                ids[2], unit: "x", target: 2, better: .lower,
                "bytes to published store, for each byte: \(many.count / 1000) KB against \(few.count / 1000)"
            ) {
                let scale = Double(few.count) / Double(many.count)
                return try ratio(runs: options.runs(9)) {
                    try Self.write(many, shape) * scale
                } to: {
                    try Self.write(few, shape)
                }
            }
        }
    }

    private static func write(_ body: [UInt8], _ shape: ShapePayload) throws -> Double {
        let store = Store()
        let duration = try write(body, shape.bind(store), store)
        keep(store)
        return duration
    }

    /// The time from bytes to a published store, in seconds.
    private static func write(_ body: [UInt8], _ operation: BoundOperation, _ store: Store) throws -> Double {
        let fetch = FetchMark(time: .seconds(1), began: store.epoch)
        return try processorTime {
            keep(store.publish(try store.normalize(body, for: operation, fetch: fetch), for: operation))
        }
    }

    private static func scan(_ body: [UInt8]) throws -> Double { try processorTime { try JSONValue.check(body) } }
}
