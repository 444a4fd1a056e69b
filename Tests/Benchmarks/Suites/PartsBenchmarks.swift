import Baton

/// Answers in very many parts: each item of a list in a payload of its own, and payloads without parts.
struct PartsBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        let (few, many, most) = (1_000, 10_000, 100_000)
        let runs = options.runs(5)
        let items = Streams.items

        try report.figure(
            "parts.item-us", unit: "us", better: .lower,
            "one of \(many) payloads with one streamed item each, read and published"
        ) {
            Measurement(try (0..<runs).map { _ in try items.seconds(many) * 1e6 })
        }
        try report.figure(
            "parts.growth", unit: "x", better: .lower, "the same: one of \(many) against one of \(few)"
        ) {
            Measurement(try (0..<runs).map { _ in try items.seconds(many) / items.seconds(few) })
        }
        let all: [(name: String, streams: Streams, text: String)] = [
            (
                "growth-100k", items,
                "the same: one of \(most) against one of \(many); the list of links alone is 400 KB"
            ),
            ("empty-growth", .empty, "payloads without parts: one of \(most) against one of \(many)"),
            ("connection-growth", .connection, "an edge of a connection in each payload"),
            ("again-growth", .again, "the same, of a connection that was loaded before"),
            ("scalars-growth", .scalars, "a text of a list in each payload"),
            ("errors-growth", .errors, "an item with an error in each payload"),
            ("streams-growth", .several, "items of four lists of one object in turn"),
        ]
        for (name, streams, text) in all {
            try report.figure("parts.\(name)", unit: "x", better: .lower, text) {
                Measurement([try streams.seconds(most) / streams.seconds(many)])
            }
        }
    }

    /// A response with a number of payloads of one form.
    private struct Streams: Sendable {
        let plan: String
        let first: String
        /// Returns the payload with a number.
        let payload: @Sendable (Int) -> String
        var isAgain = false

        private static func items(
            _ plan: String, _ path: String, _ data: String, _ item: @escaping @Sendable (Int) -> String
        )
            -> Streams
        {
            Streams(
                plan: plan,
                first: #"{"data":\#(data),"pending":[{"id":"0","label":"S","path":[\#(path)]}],"hasNext":true}"#,
                payload: { #"{"incremental":[{"id":"0","items":[\#(item($0))]}],"hasNext":true}"# })
        }

        static let items = items("{all:[+Item]@stream(\"S\",0){id:ID! name:String}}", #""all""#, #"{"all":[]}"#) {
            #"{"id":"\#($0)","name":"n"}"#
        }

        static let connection = items(
            #"{posts(first:9):Posts@connection("K"){edges:[Edge]@stream("S",0){cursor:String node:+Item{id:ID!}}}}"#,
            #""posts","edges""#, #"{"posts":{"edges":[]}}"#
        ) { #"{"cursor":"c","node":{"id":"\#($0)"}}"# }

        static var again: Streams {
            var streams = connection
            streams.isAgain = true
            return streams
        }

        static let scalars = items("{all:[String]@stream(\"S\",0)}", #""all""#, #"{"all":[]}"#) { #""text \#($0)""# }

        static let errors = Streams(
            plan: items.plan, first: items.first,
            payload: {
                #"{"incremental":[{"id":"0","items":[{"id":"\#($0)","name":null}],"#
                    + #""errors":[{"message":"refused","path":["all",\#($0),"name"]}]}],"hasNext":true}"#
            })

        static var several: Streams {
            let names = ["a", "b", "c", "d"]
            let pending = names.map { #"{"id":"\#($0)","label":"\#($0)","path":["\#($0)"]}"# }
            return Streams(
                plan: "{\(names.map { "\($0):[+Item]@stream(\"\($0)\",0){id:ID!}" }.joined(separator: " "))}",
                first: #"{"data":{"a":[],"b":[],"c":[],"d":[]},"pending":[\#(pending.joined(separator: ","))],"#
                    + #""hasNext":true}"#,
                payload: {
                    #"{"incremental":[{"id":"\#(names[$0 % 4])","items":[{"id":"\#($0)"}]}],"hasNext":true}"#
                })
        }

        static let empty = Streams(plan: items.plan, first: items.first, payload: { _ in #"{"hasNext":true}"# })

        /// The time for one payload of many.
        func seconds(_ count: Int) throws -> Double {
            let store = Store()
            let artifact = GeneratedCode.OperationArtifact(
                name: "Stream", kind: .query, text: "", normalization: plan, reader: "{}")
            let operation = store.bind(artifact, variables: .object([]))
            let payloads = (0..<count).map { Array(payload($0).utf8) }
            var time = Duration.zero
            for _ in 0..<(isAgain ? 2 : 1) {
                guard var delivery = IncrementalDelivery(operation) else { return 0 }
                let first = try store.normalize(Array(first.utf8), into: &delivery)
                store.publish(first.response, for: operation)
                let start = ContinuousClock.now
                for payload in payloads {
                    store.publish(try store.normalize(payload, into: &delivery).response, for: operation)
                }
                time = start.duration(to: .now)
            }
            let (seconds, fraction) = time.components
            return (Double(seconds) + Double(fraction) / 1e18) / Double(count)
        }
    }
}
