import Baton

/// Reading answers of all shapes, and the same users as different servers send them, compared with a scan of the bytes
/// of the response.
struct ReadShapeBenchmarks {
    let options: Options

    /// A type for all rows. The cost of reading does not depend on the type whose properties show the rows.
    private struct AnyRow: GeneratedCode.Selections {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let __row: GeneratedCode.Row
    }

    func run(into report: inout Report) throws {
        let users = options.quick ? 1_000 : 10_000
        for variant in VariantBenchmarks.variants {
            try figure(
                "read.\(variant.name).vs-scan", "typed read of \(users) users sent as \(variant.name)",
                into: &report, variant.bind
            ) { UserPayload.body(users: users, form: variant.form) }
        }
        for shape in ShapePayload.all {
            try figure(
                "shape.\(shape.name).read-vs-scan", "\(shape.note): typed read of everything", into: &report, shape.bind
            ) { shape.body(scale: options.quick ? 1 : 5) }
        }
    }

    private func figure(
        _ id: String, _ what: String, into report: inout Report, _ bind: (Store) -> BoundOperation,
        body: () -> [UInt8]
    ) throws {
        guard options.wants(id) else { return }
        let body = body()
        let store = Store()
        let operation = bind(store)
        let fetch = FetchMark(time: .seconds(1), began: store.epoch)
        store.publish(try store.normalize(body, for: operation, fetch: fetch), for: operation)
        try report.figure(
            id, unit: "x", better: .higher, "\(what), \(body.count / 1000) KB, against a scan of the bytes"
        ) {
            try ratio(runs: options.runs(15)) {
                try processorTime { try JSONValue.check(body) }
            } to: {
                processorTime { keep(store.read(AnyRow.self, at: operation.root, operation.reader)) }
            }
        }
    }
}
