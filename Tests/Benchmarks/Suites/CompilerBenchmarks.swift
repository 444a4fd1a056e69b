import BatonCompiler
import BatonDiagnostics
import BatonSchema

/// The compiler inside this process: documents are parsed, validated and compiled with a loaded schema. No file is
/// written.
struct CompilerBenchmarks {
    let options: Options

    private var types: Int { options.quick ? 200 : 2_000 }
    private var unit: Int { options.quick ? 50 : 1_000 }

    func run(into report: inout Report) throws {
        guard ["compile.growth", "compile.ms"].contains(where: options.wants) else { return }
        let workload = try Workload(types: types, operations: unit * 4)
        try report.figure(
            "compile.ms", unit: "ms", better: .lower, "\(unit) operations with \(unit * 3) fragments, \(types) types"
        ) {
            _ = try workload.compile(unit)
            return Measurement(try (0..<options.runs(5)).map { _ in try workload.compile(unit) * 1e3 })
        }
        try report.figure(
            "compile.growth", unit: "x", target: 2.4, better: .lower,
            "(T(\(unit * 4)) - T(\(unit * 2))) / (T(\(unit * 2)) - T(\(unit))); linear is 2"
        ) {
            var ratios: [Double] = []
            for _ in 0..<options.runs(5) {
                let (one, two, four) = (
                    try workload.compile(unit), try workload.compile(unit * 2), try workload.compile(unit * 4)
                )
                ratios.append((four - two) / (two - one))
            }
            return Measurement(ratios)
        }
    }

    private struct Workload {
        let schema: Schema
        let documents: [String]

        init(types: Int, operations: Int) throws {
            var compiler = Compiler()
            let source = compiler.addSource(path: "schema.graphql", text: CompilerWorkload.schema(types: types))
            let loaded = compiler.loadSchema([source])
            guard loaded.isUsable, !loaded.diagnostics.contains(where: { $0.severity == .error }) else {
                throw BenchmarkFailure(what: "the schema has errors: \(loaded.diagnostics.prefix(3))")
            }
            schema = loaded.schema
            documents = CompilerWorkload.documents(operations: operations, types: types)
        }

        /// The time to compile the first `count` documents, in seconds.
        func compile(_ count: Int) throws -> Double {
            var compiler = Compiler()
            let files = documents.prefix(count).enumerated().map { index, text in
                compiler.addSource(path: "Operation\(index).graphql", text: text)
            }
            var result: Compiler.Result?
            let duration = time { result = compiler.compile(schema: schema, documents: files) }
            guard let result, result.files.count >= count * 4 else {
                throw BenchmarkFailure(what: "the documents did not compile: \(result?.diagnostics.prefix(3) ?? [])")
            }
            return duration
        }
    }
}
