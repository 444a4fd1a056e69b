import BatonCompiler
import BatonLanguageServer
import Foundation

/// The program `baton lsp` over a project of some 5,000 documents, with an editor that types; it must be built beside
/// this program. The times are by the clock, from the last byte sent to the first byte of the response.
struct ServerBenchmarks {
    let options: Options

    private static let ids = [
        "server.completion-ms", "server.diagnostics-ms", "server.memory-mb", "server.growth-mb",
    ]

    func run(into report: inout Report) throws {
        guard Self.ids.contains(where: options.wants) else { return }
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("baton")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            return report.skip("server.", because: "'swift build -c release --product baton' was not run")
        }
        let application = Package.root.deletingLastPathComponent().appendingPathComponent(
            "shared/applications/artsy-force")
        guard let project = try ProjectWorkload(application: application) else {
            return report.skip("server.", because: "\(application.path) is not there")
        }
        defer { project.remove() }
        let editor = try EditorSession(program: program, project: project)
        defer { editor.end() }
        let note = "\(project.documents.count) documents"
        try report.figure(
            "server.completion-ms", unit: "ms", target: 50, better: .lower, "99th percentile while typing, \(note)"
        ) {
            let samples = try editor.completions(count: options.runs(400)).sorted()
            return Measurement([samples[samples.count * 99 / 100]])
        }
        try report.figure(
            "server.diagnostics-ms", unit: "ms", target: 150, better: .lower, "of the edited file, \(note)"
        ) { Measurement(try editor.diagnostics(count: options.runs(20))) }
        guard options.wants("server.memory-mb") || options.wants("server.growth-mb") else { return }
        try editor.edit(count: 500)
        let before = editor.megabytes()
        try editor.edit(count: options.runs(10_000))
        let after = editor.megabytes()
        report.figure("server.memory-mb", unit: "MB", better: .lower, "after 10,000 edits, \(note)") {
            Measurement([after])
        }
        report.figure("server.growth-mb", unit: "MB", target: 10, better: .lower, "in 10,000 edits") {
            Measurement([max(0, after - before)])
        }
    }
}

/// A process of the server, and what an editor does with one document.
private final class EditorSession {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let uri: JSONValue
    private let line: Int
    private var reader = MessageReader()
    private var messages: [JSONValue] = []
    private var requestCount = 0
    private var version = 1

    init(program: URL, project: ProjectWorkload) throws {
        let name = project.documents.first { $0.contains("Query") } ?? project.documents[0]
        let file = project.folder.appendingPathComponent("documents/" + name)
        let text = try String(contentsOf: file, encoding: .utf8)
        uri = .string(DocumentURI(.init(absolute: file.path)).text)
        // What is typed stands on a line of its own, behind the brace that opens the selections of the operation.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        line = (lines.firstIndex { $0.contains("{") && !$0.contains("}") } ?? 0) + 1
        process.executableURL = program
        process.arguments = ["lsp"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let root = DocumentURI(.init(absolute: project.folder.path)).text
        _ = try ask("initialize", ["capabilities": [:], "rootUri": .string(root)])
        send(["jsonrpc": "2.0", "method": "initialized", "params": [:]])
        notify(
            "didOpen", ["uri": uri, "languageId": "graphql", "version": 1, "text": .string(text)], [:])
        change(from: (line, 0), to: (line, 0), "\n")
        change(from: (line, 0), to: (line, 0), "wrong")
        _ = try next { $0.at("params", "uri") == uri }
        change(from: (line, 0), to: (line, 5), "")
        _ = try next { $0.at("params", "uri") == uri }
        Thread.sleep(forTimeInterval: 2)
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }

    // MARK: - Measuring

    /// Types a name letter by letter, and asks for completions after each of them.
    func completions(count: Int) throws -> [Double] {
        var samples: [Double] = []
        let name = Array("artworksConnection")
        while samples.count < count {
            for (column, letter) in name.enumerated() where samples.count < count {
                change(from: (line, column), to: (line, column), String(letter))
                let place: JSONValue = ["line": .integer(line), "character": .integer(column + 1)]
                samples.append(
                    try milliseconds {
                        _ = try ask("textDocument/completion", ["textDocument": ["uri": uri], "position": place])
                    })
                Thread.sleep(forTimeInterval: 0.06)
            }
            change(from: (line, 0), to: (line, 1000), "")
            Thread.sleep(forTimeInterval: 0.06)
        }
        return samples
    }

    /// Makes and removes a mistake, and waits for what is told of it.
    func diagnostics(count: Int) throws -> [Double] {
        var samples: [Double] = []
        Thread.sleep(forTimeInterval: 2)
        for number in 0..<count {
            samples.append(
                try milliseconds {
                    change(from: (line, 0), to: (line, 0), "wrong\(number)")
                    _ = try next { $0.at("params", "uri") == uri }
                })
            samples.append(
                try milliseconds {
                    change(from: (line, 0), to: (line, 1000), "")
                    _ = try next { $0.at("params", "uri") == uri }
                })
            Thread.sleep(forTimeInterval: 0.1)
        }
        return samples
    }

    func edit(count: Int) throws {
        for number in 0..<count {
            change(from: (line, 0), to: (line, 1000), number % 7 == 0 ? "" : "edit\(number)")
            // The server judges now and then, and its response shows that it keeps pace.
            if number % 50 == 0 { _ = try ask("textDocument/foldingRange", ["textDocument": ["uri": uri]]) }
            if number % 50 == 25 { Thread.sleep(forTimeInterval: 0.12) }
        }
        change(from: (line, 0), to: (line, 1000), "")
        Thread.sleep(forTimeInterval: 3)
        _ = try ask("textDocument/foldingRange", ["textDocument": ["uri": uri]])
    }

    private func milliseconds(_ body: () throws -> Void) throws -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    /// The memory of the process, as the system counts it.
    func megabytes() -> Double {
        let ps = Process()
        let answer = Pipe()
        ps.executableURL = URL(fileURLWithPath: "/bin/ps")
        ps.arguments = ["-o", "rss=", "-p", "\(process.processIdentifier)"]
        ps.standardOutput = answer
        guard (try? ps.run()) != nil else { return 0 }
        let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return (Double(text.filter(\.isNumber)) ?? 0) / 1024
    }

    // MARK: - Messages

    private func send(_ message: JSONValue) {
        try? input.fileHandleForWriting.write(contentsOf: Data(MessageReader.framed(message)))
    }

    private func notify(_ method: String, _ document: JSONValue, _ more: JSONValue) {
        var parameters: JSONValue = ["textDocument": document]
        if case .object(let members) = more {
            for member in members { parameters = parameters.with(member.key, member.value) }
        }
        send(["jsonrpc": "2.0", "method": .string("textDocument/" + method), "params": parameters])
    }

    private func change(from start: (Int, Int), to end: (Int, Int), _ text: String) {
        func position(_ place: (Int, Int)) -> JSONValue {
            ["line": .integer(place.0), "character": .integer(place.1)]
        }
        version += 1
        notify(
            "didChange", ["uri": uri, "version": .integer(version)],
            [
                "contentChanges": [
                    ["range": ["start": position(start), "end": position(end)], "text": .string(text)]
                ]
            ])
    }

    private func ask(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
        requestCount += 1
        let id = JSONValue.integer(requestCount)
        send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": parameters])
        return try next { $0["id"] == id && $0["method"] == nil }
    }

    /// The next message that is meant; those before it are dropped.
    private func next(where isMeant: (JSONValue) -> Bool) throws -> JSONValue {
        while true {
            while !messages.isEmpty {
                let message = messages.removeFirst()
                if isMeant(message) { return message }
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw BenchmarkFailure(what: "'baton lsp' has ended") }
            for case .message(let bytes) in reader.take(data) { messages.append(try JSONValue(parsing: bytes)) }
        }
    }
}
