import BatonDiagnostics
import BatonSyntax

/// Parsing from bytes to syntax trees, on one core.
struct ParserBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        guard ["parse.mb-per-s", "parse.schema-mb-per-s"].contains(where: options.wants) else { return }
        let text = SourceText.generated(types: options.quick ? 300 : 3_000, operations: options.quick ? 500 : 5_000)
        try report.figure(
            "parse.mb-per-s", unit: "MB/s", better: .higher, "\(text.documents.count) documents, one core"
        ) {
            try throughput(text.documents)
        }
        try report.figure(
            "parse.schema-mb-per-s", unit: "MB/s", better: .higher,
            "a schema of \(text.schema.count / 1000) KB, one core"
        ) {
            try throughput([text.schema])
        }
    }

    private func throughput(_ texts: [[UInt8]]) throws -> Measurement {
        var sources = SourceSet()
        let files = texts.enumerated().map { sources.add(path: "\($0).graphql", bytes: $1) }
        let megabytes = Double(texts.reduce(0) { $0 + $1.count }) / 1e6
        var samples: [Double] = []
        for _ in 0..<options.runs(9) {
            var mistakes = 0
            let seconds = time {
                for file in files { mistakes += Parser.parseDocument(file).diagnostics.count }
            }
            if mistakes > 0 { throw BenchmarkFailure(what: "what was generated does not parse") }
            samples.append(megabytes / seconds)
        }
        return Measurement(samples)
    }
}
