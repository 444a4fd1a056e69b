import Foundation

/// The processes of one run: the server, and one for each measurement, so that none finds what another one has left.
struct Children {
    let url: URL
    private let program: String
    private let server = Process()
    /// A pipe into which nothing is written. It closes when this process ends for any reason, which ends the server.
    private let input = Pipe()

    struct Failed: Error {
        let arguments: [String]
    }

    init(program: String) throws {
        self.program = program
        let output = Pipe()
        server.executableURL = URL(filePath: program)
        server.arguments = ["serve"]
        server.standardInput = input
        server.standardOutput = output
        try server.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)),
            let url = URL(string: "http://127.0.0.1:\(port)/graphql")
        else {
            server.terminate()
            throw Failed(arguments: ["serve"])
        }
        self.url = url
    }

    func stop() {
        server.terminate()
        server.waitUntilExit()
    }

    /// Runs this program once more.
    func measure(_ arguments: [String]) throws -> Measurement {
        try JSONDecoder().decode(
            Measurement.self, from: Data(output(of: program, arguments + [url.absoluteString]).utf8))
    }

    /// Posts with `wrk`; nil if there is none.
    func wrk(connections: Int, body: String) throws -> Measurement? {
        guard
            let wrk = ["/usr/bin/wrk", "/usr/local/bin/wrk"].first(where: FileManager.default.isExecutableFile(atPath:))
        else { return nil }
        let script = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: script) }
        try "wrk.method = 'POST'; wrk.headers['Content-Type'] = 'application/json'; wrk.body = [==[\(body)]==]"
            .write(to: script, atomically: true, encoding: .utf8)
        let text = try output(
            of: wrk, ["-t1", "-c\(connections)", "-d2s", "--latency", "-s", script.path, url.absoluteString])
        func field(_ name: String) -> Substring {
            let line = text.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix(name) }
            return line?.split { $0 == " " || $0 == "\t" }.last ?? ""
        }
        func milliseconds(_ text: Substring) -> Double {
            let number = Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
            return text.hasSuffix("us") ? number / 1_000 : text.hasSuffix("ms") ? number : number * 1_000
        }
        return Measurement(
            rate: Double(field("Requests/sec:")) ?? 0, median: milliseconds(field("50%")),
            percentile99: milliseconds(field("99%")))
    }

    private func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(arguments: arguments) }
        return String(decoding: data, as: UTF8.self)
    }
}
