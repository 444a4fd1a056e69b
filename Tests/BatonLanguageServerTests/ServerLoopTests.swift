import BatonCommand
import BatonLanguageServer
import Foundation
import Testing

/// The server with its threads, over streams in memory and over those of a process.
struct ServerLoopTests {
    /// The answers, and the diagnostics of the mistaken file, in the order of the messages.
    private static func talk(_ client: StreamClient, _ folder: TestFolder) throws {
        let uri = DocumentURI(folder.file("documents/Author.graphql")).text
        client.send([
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": ["capabilities": [:], "rootUri": .string(DocumentURI(folder.path).text)],
        ])
        _ = try client.next { $0["id"] == 1 && $0["result"] != nil }
        client.send(["jsonrpc": "2.0", "method": "initialized", "params": [:]])
        client.send([
            "jsonrpc": "2.0", "method": "textDocument/didOpen",
            "params": [
                "textDocument": [
                    "uri": .string(uri), "languageId": "graphql", "version": 1,
                    "text": "fragment Author_person on Person { nmae }",
                ]
            ],
        ])
        let told = try client.next { $0.at("params", "uri")?.string == uri }
        #expect(
            told.at("params", "diagnostics")?.array?.first?["message"]
                == "unknown field 'nmae' on type 'Person'; did you mean 'name'?")
        client.sendBytes(Array("Content-Length: 3\r\n\r\n{{{".utf8))
        let refused = try client.next { $0["id"] == .null }
        #expect(refused.at("error", "code") == -32700)
        client.send([
            "jsonrpc": "2.0", "method": "textDocument/didChange",
            "params": [
                "textDocument": ["uri": .string(uri), "version": 2],
                "contentChanges": [["text": "fragment Author_person on Person { name }"]],
            ],
        ])
        let cleared = try client.next { $0.at("params", "uri")?.string == uri }
        #expect(cleared.at("params", "diagnostics") == [])
        #expect(cleared.at("params", "version") == 2)
        client.send(["jsonrpc": "2.0", "id": 2, "method": "shutdown"])
        _ = try client.next { $0["id"] == 2 && $0["result"] == .null }
        client.send(["jsonrpc": "2.0", "method": "exit"])
    }

    @Test func aSessionOverStreamsInMemory() throws {
        let folder = try TestFolder(Library.files)
        let (input, output) = (ByteStream(), ByteStream())
        let loop = ServerLoop(version: "1", read: { input.read() }, write: { output.write($0) })
        let status = Status()
        Thread.detachNewThread { status.set(loop.run()) }
        try Self.talk(StreamClient(read: { output.read() }, write: { input.write($0) }), folder)
        #expect(status.wait() == 0)
    }

    @Test func theEndOfTheStreamEndsTheServer() throws {
        let (input, output) = (ByteStream(), ByteStream())
        let loop = ServerLoop(version: "1", read: { input.read() }, write: { output.write($0) })
        input.write(Array("Content-Le".utf8))
        input.close()
        #expect(loop.run() == 1)
    }

    @Test func aSessionWithAProcess() throws {
        let folder = try TestFolder(Library.files)
        let process = Process()
        process.executableURL = Self.products.appendingPathComponent("baton")
        process.arguments = ["lsp"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path.description)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let (reading, writing) = (output.fileHandleForReading, input.fileHandleForWriting)
        let client = StreamClient(
            read: {
                let data = reading.availableData
                return data.isEmpty ? nil : [UInt8](data)
            }, write: { try? writing.write(contentsOf: Data($0)) })
        try Self.talk(client, folder)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// The folder with the test bundle and the executables.
    private static var products: URL {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return bundle.bundleURL.deletingLastPathComponent()
        #else
            return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        #endif
    }
}

/// A value that one thread sets and another waits for. The lock is that of `condition`.
private final class Status: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Int32?

    func set(_ status: Int32) {
        condition.withLock { value = status }
        condition.broadcast()
    }

    func wait() -> Int32 {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let value { return value }
            condition.wait()
        }
    }
}

/// A stream in memory. The lock is that of `condition`.
private final class ByteStream: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var isClosed = false

    func write(_ more: [UInt8]) {
        condition.withLock { bytes += more }
        condition.signal()
    }

    func close() {
        condition.withLock { isClosed = true }
        condition.signal()
    }

    func read() -> [UInt8]? {
        condition.lock()
        defer { condition.unlock() }
        while bytes.isEmpty, !isClosed { condition.wait() }
        defer { bytes = [] }
        return bytes.isEmpty ? nil : bytes
    }
}

/// The other end of the streams of a server.
private final class StreamClient {
    private let read: () -> [UInt8]?
    private let write: ([UInt8]) -> Void
    private var reader = MessageReader()
    private var waiting: [JSONValue] = []

    init(read: @escaping () -> [UInt8]?, write: @escaping ([UInt8]) -> Void) {
        self.read = read
        self.write = write
    }

    func send(_ message: JSONValue) { write(MessageReader.framed(message)) }
    func sendBytes(_ bytes: [UInt8]) { write(bytes) }

    /// The next message that is meant. Those before it are dropped.
    func next(where isMeant: (JSONValue) -> Bool) throws -> JSONValue {
        while true {
            while !waiting.isEmpty {
                let message = waiting.removeFirst()
                if isMeant(message) { return message }
            }
            let bytes = try #require(read(), "the server has ended")
            for case .message(let bytes) in reader.take(bytes) { waiting.append(try JSONValue(parsing: bytes)) }
        }
    }
}
