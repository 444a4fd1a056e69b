/// `swift run -c release benchmarks`: measures and prints, judges nothing.
@main
struct BenchmarkProgram {
    static func main() async throws {
        let options = Options(arguments: CommandLine.arguments.dropFirst())
        var report = Report(options: options)
        try CompilerBenchmarks(options: options).run(into: &report)
        try StoreBenchmarks(options: options).run(into: &report)
        try await NotificationBenchmarks(options: options).run(into: &report)
        report.finish()
    }
}
