import Foundation

/// graphql-core, the reference implementation in Python, on the same schema and documents in the same run.
///
/// It runs in a separate process that is started once and makes one measurement for each command, so that its times can
/// alternate with those of Baton. `time-graphql-core.py` is its program.
final class GraphQLCore {
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let commands = Pipe()
    private let answers = Pipe()
    private let folder: URL
    private var unread = Data()

    /// Starts the process with a schema and documents, which are passed as files in a temporary folder.
    init(_ text: SourceText, _ options: Options) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-benchmarks-\(UUID().uuidString)")
        let documents = folder.appendingPathComponent("documents")
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        let schema = folder.appendingPathComponent("schema.graphql")
        try Data(text.schema + text.foreignDirectives).write(to: schema)
        for (index, bytes) in text.documents.enumerated() {
            let number = String(format: "%06d", index)
            try Data(bytes).write(to: documents.appendingPathComponent("\(number).graphql"))
        }
        let python = options.graphQLCore ?? Self.defaultPython
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [python, Self.script, schema.path, documents.path]
        process.standardInput = commands
        process.standardOutput = answers
        do {
            try process.run()
            // The process prints a line when it is ready.
            _ = try line()
        } catch {
            close()
            throw Unavailable(
                description: "'\(python)' does not run graphql-core; '--graphql-core PYTHON' names another")
        }
    }

    private static let script =
        Package.root.appendingPathComponent("Tests/Benchmarks/Comparison/time-graphql-core.py").path

    private static let defaultPython =
        Package.root.appendingPathComponent("Tests/Integration/graphql-core/python").path

    /// The time in seconds to parse, build and check the schema.
    func schemaTime() throws -> Double { try answer(to: "schema").ms / 1e3 }

    /// The time in seconds to parse and validate all documents, with the schema loaded.
    func documentsTime() throws -> Double { try answer(to: "documents").ms / 1e3 }

    /// Ends the process and removes the files.
    func close() {
        try? commands.fileHandleForWriting.close()
        if process.isRunning { process.waitUntilExit() }
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: - One line there, one line back

    private struct Answer: Decodable {
        let ms: Double
    }

    private func answer(to command: String) throws -> Answer {
        try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
        return try JSONDecoder().decode(Answer.self, from: try line())
    }

    private func line() throws -> Data {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return Data(unread[..<end])
            }
            let more = answers.fileHandleForReading.availableData
            if more.isEmpty { throw Unavailable(description: "graphql-core ended") }
            unread += more
        }
    }
}
