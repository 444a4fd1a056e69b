import Foundation

/// The peak memory of a separate process that loads a schema, and parses and validates documents.
enum PeakMemory {
    /// Starts this program again for one corpus; returns megabytes, or nil on systems without this information.
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

    /// Runs in the started process: does the work and prints one number.
    static func report(for corpus: URL) throws {
        let text = try SourceText.corpus(at: corpus)
        _ = text.validate(text.loadSchema())
        if let megabytes = ofThisProcess { print(megabytes) }
    }

    /// `VmHWM`, the peak resident memory.
    private static var ofThisProcess: Double? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
            return kilobytes.map { $0 / 1024 }
        }
        return nil
    }
}
