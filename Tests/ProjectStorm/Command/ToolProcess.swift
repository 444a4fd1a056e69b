import Foundation
import ProjectStorm

/// A process of the compiler that does not end by itself.
struct ToolProcess {
    private let process = Process()
    private let output: WatchOutput

    init(_ program: String, _ arguments: [String], in folder: String, writingTo output: WatchOutput) throws {
        self.output = output
        let pipes = (Pipe(), Pipe())
        Self.prepare(process, program, arguments, folder)
        (process.standardOutput, process.standardError) = pipes
        try process.run()
        for (pipe, isOutput) in [(pipes.0, true), (pipes.1, false)] {
            let handle = pipe.fileHandleForReading
            Thread.detachNewThread {
                while true {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    let text = String(decoding: data, as: UTF8.self)
                    output.append(output: isOutput ? text : "", errors: isOutput ? "" : text)
                }
                if isOutput { output.end() }
            }
        }
    }

    /// What the process holds in memory, in kilobytes, where the system says it in a file.
    var residentSize: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    /// Asks the process to end, and returns its status.
    func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Runs the program to its end.
    static func run(_ program: String, _ arguments: [String], in folder: String) throws -> (
        output: String, status: Int32
    ) {
        let process = Process()
        let pipe = Pipe()
        prepare(process, program, arguments, folder)
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    private static func prepare(_ process: Process, _ program: String, _ arguments: [String], _ folder: String) {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
    }
}
