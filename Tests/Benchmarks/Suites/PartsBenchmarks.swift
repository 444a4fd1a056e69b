import Baton

/// Answers in very many parts: each item of a list in a payload of its own, and payloads without parts.
struct PartsBenchmarks {
    let options: Options

    private static let plan = "{all:[+Item]@stream(\"S\",0){id:ID! name:String}}"
    private static let artifact = GeneratedCode.OperationArtifact(
        name: "Stream", kind: .query, text: "", normalization: plan, reader: "{all:[+Item]{id:ID! name:String}}")

    func run(into report: inout Report) throws {
        guard
            ["parts.item-us", "parts.growth", "parts.growth-100k", "parts.empty-growth"].contains(where: options.wants)
        else { return }
        let (few, many, most) = (1_000, 10_000, 100_000)
        let runs = options.runs(5)

        try report.figure(
            "parts.item-us", unit: "us", better: .lower,
            "one of \(many) payloads with one streamed item each, read and published"
        ) {
            Measurement(try (0..<runs).map { _ in try Self.seconds(items: many) * 1e6 })
        }
        try report.figure(
            "parts.growth", unit: "x", better: .lower, "the same: one of \(many) against one of \(few)"
        ) {
            Measurement(try (0..<runs).map { _ in try Self.seconds(items: many) / Self.seconds(items: few) })
        }
        try report.figure(
            "parts.growth-100k", unit: "x", better: .lower,
            "the same: one of \(most) against one of \(many); the list of links alone is 400 KB"
        ) {
            Measurement([try Self.seconds(items: most) / Self.seconds(items: many)])
        }
        try report.figure(
            "parts.empty-growth", unit: "x", better: .lower,
            "payloads without parts: one of \(most) against one of \(many)"
        ) {
            Measurement([try Self.seconds(empty: most) / Self.seconds(empty: many)])
        }
    }

    /// The time for one payload of many with one item each.
    private static func seconds(items count: Int) throws -> Double {
        try seconds(
            (0..<count).map {
                Array(#"{"incremental":[{"id":"0","items":[{"id":"\#($0)","name":"n"}]}],"hasNext":true}"#.utf8)
            })
    }

    /// The time for one payload of many without parts.
    private static func seconds(empty count: Int) throws -> Double {
        try seconds(Array(repeating: Array(#"{"hasNext":true}"#.utf8), count: count))
    }

    private static func seconds(_ payloads: [[UInt8]]) throws -> Double {
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        guard var delivery = IncrementalDelivery(operation) else { return 0 }
        let first = Array(#"{"data":{"all":[]},"pending":[{"id":"0","label":"S","path":["all"]}],"hasNext":true}"#.utf8)
        store.publish(try store.normalize(first, into: &delivery).response, for: operation)
        let start = ContinuousClock.now
        for payload in payloads {
            store.publish(try store.normalize(payload, into: &delivery).response, for: operation)
        }
        let (seconds, fraction) = start.duration(to: .now).components
        return (Double(seconds) + Double(fraction) / 1e18) / Double(payloads.count)
    }
}
