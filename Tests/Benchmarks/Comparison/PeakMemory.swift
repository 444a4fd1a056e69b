import Foundation

/// The memory that a process of its own needs at most to load a schema and to parse and validate documents.
enum PeakMemory {
    /// Starts this program again for one corpus; gives megabytes, or nil where the system does not tell.
    static func megabytes(of corpus: URL) throws -> Double? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--memory-of", corpus.path]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What the process that was started does: the work, and then one number.
    static func report(for corpus: URL) throws {
        let text = try SourceText.corpus(at: corpus)
        _ = text.validate(text.loadSchema())
        if let megabytes = ofThisProcess { print(megabytes) }
    }

    /// `VmHWM`, the most that was ever resident.
    private static var ofThisProcess: Double? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
            return kilobytes.map { $0 / 1024 }
        }
        return nil
    }
}
