import BatonSchema
import BatonSyntax
import Foundation

/// Parsing and validating documents as one program in this process, with a loaded schema and without reading files.
///
/// The comparison with graphql-core uses one core for each. graphql-core gets the same documents as one program, but at
/// most the first 1,000. Its time is scaled, because it is linear in the documents and long.
struct ValidationBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        if Self.generatedIDs.contains(where: options.wants) {
            let scale = options.quick ? 10 : 1
            let text = SourceText.generated(types: 3_000 / scale, operations: 10_000 / scale)
            try measureGenerated(try Workload(text, isValid: true), count: 5_000 / scale, &report)
        }
        for folder in SourceText.corpora(options) { try measureCorpus(folder, &report) }
        if SourceText.corpora(options).isEmpty {
            report.skip("validate.corpora", because: "there are no corpora beside the package")
        }
    }

    // MARK: - Generated documents

    private static let generatedIDs = [
        "validate.schema-ms", "validate.ms", "validate.one-core-ms", "validate.two-cores", "validate.growth",
        "validate.growth-two-cores", "validate.vs-graphql-core", "validate.schema-vs-graphql-core",
    ]

    private func measureGenerated(_ workload: Workload, count: Int, _ report: inout Report) throws {
        let types = workload.schema.types.count
        let size = "\(count) documents, \(types) types"
        report.figure("validate.schema-ms", unit: "ms", better: .lower, "parse and build a schema of \(types) types") {
            Measurement((0..<options.runs(5)).map { _ in workload.schemaTime() * 1e3 })
        }
        report.figure("validate.ms", unit: "ms", better: .lower, "parse and validate \(size)") {
            _ = workload.time(count)
            return Measurement((0..<options.runs(9)).map { _ in workload.time(count) * 1e3 })
        }
        report.figure("validate.one-core-ms", unit: "ms", better: .lower, "the same on one core") {
            Measurement((0..<options.runs(9)).map { _ in workload.time(count, .one) * 1e3 })
        }
        report.figure(
            "validate.two-cores", unit: "x", better: .higher, "one core against two, parse and validate \(size)"
        ) {
            ratio(
                runs: options.runs(9), of: { workload.time(count, .one) },
                to: { workload.time(count, Workers(count: 2)) })
        }
        let sizes = "\(count / 4) to \(count * 2) documents"
        let growth = "each doubling adds so many times what the one before added; linear is 2"
        report.figure(
            "validate.growth", unit: "x", target: 2.4, better: .lower, "\(sizes), one core, in its time: \(growth)"
        ) {
            self.growth(count: count) { workload.processorTime($0) }
        }
        report.figure(
            "validate.growth-two-cores", unit: "x", target: 2.4, better: .lower, "\(sizes), two cores: \(growth)"
        ) {
            self.growth(count: count) { workload.time($0, Workers(count: 2)) }
        }
        try compare(workload.prefix(count), "validate", target: 25, "parse and validate \(size)", &report)
    }

    /// The growth from n to 8n documents in three doublings: the root of (T(8n) - T(4n)) / (T(2n) - T(n)). Two steps of
    /// doubling lie between the two differences.
    ///
    /// Each size counts with the best of five times, because the difference of two single times would mostly show the
    /// other work of the machine.
    private func growth(count: Int, time: (Int) -> Double) -> Measurement {
        let sizes = [count / 4, count / 2, count, count * 2]
        _ = time(count)
        return Measurement(
            (0..<options.runs(5)).map { _ in
                let times = sizes.map { size in Measurement((0..<5).map { _ in time(size) }).low }
                return ((times[3] - times[2]) / (times[1] - times[0])).squareRoot()
            }
        )
    }

    // MARK: - Corpora

    private func measureCorpus(_ folder: URL, _ report: inout Report) throws {
        let id = "validate.\(folder.lastPathComponent)"
        let figures = ["schema-ms", "ms", "mb", "vs-graphql-core", "schema-vs-graphql-core"]
        guard figures.contains(where: { options.wants("\(id).\($0)") }) else { return }
        let workload = try Workload(SourceText.corpus(at: folder), isValid: false)
        let size = "\(workload.text.documents.count) documents"
        report.figure(
            "\(id).schema-ms", unit: "ms", better: .lower, "parse and build \(workload.schema.types.count) types"
        ) {
            Measurement((0..<options.runs(5)).map { _ in workload.schemaTime() * 1e3 })
        }
        report.figure("\(id).ms", unit: "ms", better: .lower, "parse and validate \(size)") {
            Measurement((0..<options.runs(9)).map { _ in workload.time() * 1e3 })
        }
        if options.wants("\(id).mb") {
            if let megabytes = try PeakMemory.megabytes(of: folder) {
                report.figure("\(id).mb", unit: "MB", better: .lower, "most memory of a process that does both") {
                    Measurement([megabytes])
                }
            } else {
                report.skip("\(id).mb", because: "this system does not tell")
            }
        }
        try compare(workload, id, target: nil, "parse and validate \(size)", &report)
    }

    // MARK: - graphql-core

    private func compare(
        _ workload: Workload, _ prefix: String, target: Double?, _ what: String, _ report: inout Report
    ) throws {
        let ids = ["\(prefix).vs-graphql-core", "\(prefix).schema-vs-graphql-core"]
        guard ids.contains(where: options.wants) else { return }
        let sample = workload.text.prefix(1_000)
        let scale = Double(workload.text.documents.count) / Double(sample.documents.count)
        do {
            let other = try GraphQLCore(sample, options)
            defer { other.close() }
            let runs = options.quick ? 1 : 3
            try report.figure(ids[0], unit: "x", target: target, better: .higher, "\(what), one core each") {
                try ratio(runs: runs, of: { try other.documentsTime() * scale }, to: { workload.steadyTime() })
            }
            try report.figure(ids[1], unit: "x", better: .higher, "the schema, parsed, built and checked") {
                try ratio(runs: runs, of: other.schemaTime, to: workload.schemaTime)
            }
        } catch let reason as GraphQLCore.Unavailable {
            report.skip(ids[0], because: "\(reason)")
        }
    }
}

/// A text with its loaded schema.
private struct Workload {
    let text: SourceText
    let schema: Schema

    /// Fails if generated documents are invalid; real documents may have mistakes.
    init(_ text: SourceText, isValid: Bool) throws {
        self.text = text
        schema = text.loadSchema()
        let sample = text.prefix(100)
        if isValid, sample.validate(schema) > 0 { throw BenchmarkFailure(what: "what was generated is not valid") }
    }

    private init(text: SourceText, schema: Schema) {
        self.text = text
        self.schema = schema
    }

    func prefix(_ count: Int) -> Workload { Workload(text: text.prefix(count), schema: schema) }

    /// The time for the first `count` documents, or for all, in seconds.
    func time(_ count: Int? = nil, _ workers: Workers = .all) -> Double {
        let text = count.map(text.prefix) ?? text
        return benchmarks.time { keep(text.validate(schema, workers)) }
    }

    /// The processor time for the first documents on one core, in seconds.
    func processorTime(_ count: Int) -> Double {
        let text = text.prefix(count)
        return benchmarks.processorTime { keep(text.validate(schema, .one)) }
    }

    /// The time for all documents on one core, in seconds; short work is repeated for a twentieth of a second.
    func steadyTime() -> Double {
        let first = time(nil, .one)
        let rounds = Int(0.05 / first)
        return rounds < 2 ? first : (0..<rounds).reduce(0) { sum, _ in sum + time(nil, .one) } / Double(rounds)
    }

    func schemaTime() -> Double {
        benchmarks.time { keep(text.loadSchema()) }
    }
}
