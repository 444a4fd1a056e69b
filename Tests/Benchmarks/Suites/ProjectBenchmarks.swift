import Foundation

/// The program `baton` as whole processes over a project of some 5,000 documents, artifacts written; it must be built
/// beside this program. The times are by the clock, and need a machine with two quiet cores.
struct ProjectBenchmarks {
    let options: Options

    private static let ids = ["project.cold-ms", "project.unchanged-ms", "project.edited-ms", "project.memory-mb"]

    func run(into report: inout Report) throws {
        guard Self.ids.contains(where: options.wants) else { return }
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("baton")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            return report.skip("project.", because: "'swift build -c release --product baton' was not run")
        }
        let application = Package.root.deletingLastPathComponent().appendingPathComponent(
            "shared/applications/artsy-force")
        guard let project = try ProjectWorkload(application: application) else {
            return report.skip("project.", because: "\(application.path) is not there")
        }
        defer { project.remove() }
        let compile = CompileProcess(program: program, folder: project.folder)
        let note = "\(project.documents.count) documents"
        try report.figure("project.memory-mb", unit: "MB", target: 100, better: .lower, "peak memory, \(note)") {
            Measurement([try compile.peakMegabytes()])
        }
        try report.figure("project.cold-ms", unit: "ms", target: 800, better: .lower, "nothing is known, \(note)") {
            Measurement(
                try (0..<options.runs(5)).map { _ in
                    try compile.forget()
                    return try compile.milliseconds()
                })
        }
        _ = try compile.milliseconds()
        try report.figure("project.unchanged-ms", unit: "ms", target: 150, better: .lower, "a new process, \(note)") {
            Measurement(try (0..<options.runs(9)).map { _ in try compile.milliseconds() })
        }
        try report.figure("project.edited-ms", unit: "ms", target: 300, better: .lower, "one document changed, \(note)")
        {
            // At the root of an operation, what is added is refused.
            let fragments = project.documents.filter { !$0.contains("Query") && !$0.contains("Mutation") }
            let documents = (0..<options.runs(15)).map { fragments[($0 * 331 + 7) % fragments.count] }
            return Measurement(
                try documents.map { name in
                    try edit(project.folder.appendingPathComponent("documents/" + name))
                    return try compile.milliseconds()
                })
        }
    }

    /// Selects one more field, which every type has.
    private func edit(_ document: URL) throws {
        var text = try String(contentsOf: document, encoding: .utf8)
        if let end = text.lastIndex(of: "}") { text.insert(contentsOf: "edited: __typename ", at: end) }
        try text.write(to: document, atomically: true, encoding: .utf8)
    }
}

/// Runs of `baton compile` in a folder, with a folder of their own for what is known of projects.
private struct CompileProcess {
    let program: URL
    let folder: URL

    private var cache: URL { folder.appendingPathComponent("cache") }

    func forget() throws {
        for name in ["cache", "Generated"] {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    func milliseconds() throws -> Double { try time { try run() } * 1e3 }

    /// The largest memory of any process that this one has started and waited for, so this must be the first.
    func peakMegabytes() throws -> Double {
        try run()
        var usage = rusage()
        // `RUSAGE_CHILDREN`, whose type differs between systems.
        getrusage(-1, &usage)
        #if canImport(Darwin)
            let unit = 1_048_576.0
        #else
            let unit = 1_024.0
        #endif
        return Double(usage.ru_maxrss) / unit
    }

    private func run() throws {
        let process = Process()
        process.executableURL = program
        process.arguments = ["compile", "--cache", cache.path]
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkFailure(what: "'baton compile' has failed") }
    }
}
