import Foundation

/// The program `swift run -c release benchmarks`: measures and prints figures. It never fails because of a figure.
@main
struct BenchmarkProgram {
    static func main() async throws {
        let options = Options(arguments: CommandLine.arguments.dropFirst())
        if let corpus = options.memoryOf { return try PeakMemory.report(for: URL(fileURLWithPath: corpus)) }
        if let users = options.heapOfUsers { return try PeakMemory.reportHeap(ofUsers: users) }
        if let held = options.heapOfHeld { return try PeakMemory.reportHeap(ofHeld: held) }
        if let handles = options.heapOfHandles { return try await PeakMemory.reportHeap(ofHandles: handles) }
        if let count = options.heapOfEnvironments { return try await PeakMemory.reportHeap(ofEnvironments: count) }
        var report = Report(options: options)
        try ParserBenchmarks(options: options).run(into: &report)
        try ValidationBenchmarks(options: options).run(into: &report)
        try CompilerBenchmarks(options: options).run(into: &report)
        try ProjectBenchmarks(options: options).run(into: &report)
        try ServerBenchmarks(options: options).run(into: &report)
        try IngestBenchmarks(options: options).run(into: &report)
        try VariantBenchmarks(options: options).run(into: &report)
        try ReadShapeBenchmarks(options: options).run(into: &report)
        try ShapeBenchmarks(options: options).run(into: &report)
        try await SmallAnswerBenchmarks(options: options).run(into: &report)
        try await LatencyBenchmarks(options: options).run(into: &report)
        try WaitingBenchmarks(options: options).run(into: &report)
        try StoreBenchmarks(options: options).run(into: &report)
        try await ReadingBenchmarks(options: options).run(into: &report)
        try ConnectionBenchmarks(options: options).run(into: &report)
        try PartsBenchmarks(options: options).run(into: &report)
        try CollectionBenchmarks(options: options).run(into: &report)
        try await FragmentBenchmarks(options: options).run(into: &report)
        try await HandleBenchmarks(options: options).run(into: &report)
        try await TrackingBenchmarks(options: options).run(into: &report)
        try await EnvironmentBenchmarks(options: options).run(into: &report)
        try await NotificationBenchmarks(options: options).run(into: &report)
        try await LayerBenchmarks(options: options).run(into: &report)
        try ManyLayersBenchmarks(options: options).run(into: &report)
        try SnapshotBenchmarks(options: options).run(into: &report)
        try DiskBenchmarks(options: options).run(into: &report)
        report.finish()
    }
}
