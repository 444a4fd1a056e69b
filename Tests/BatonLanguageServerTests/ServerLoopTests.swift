import BatonCommand
import BatonCompiler
import BatonLanguageServer
import Foundation
import Synchronization
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

    /// The worker waits for a client that does not read what is written, and so the reader reads no more.
    @Test func aClientThatDoesNotReadIsNotRead() {
        let (count, chunk) = (20_000, 100)
        let request = MessageReader.framed(["jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": [:]])
        let chunks = Counter()
        let mayWrite = DispatchSemaphore(value: 0)
        let written = Counter()
        let loop = ServerLoop(
            version: "1",
            read: { chunks.next() > count / chunk ? nil : Array(repeatElement(request, count: chunk).joined()) },
            write: { _ in
                if written.next() == 1 { mayWrite.wait() }
                return true
            })
        let status = Status()
        Thread.detachNewThread { status.set(loop.run()) }
        // Until the reader stands still.
        var seen = 0
        repeat {
            seen = chunks.value
            Thread.sleep(forTimeInterval: 0.3)
        } while chunks.value > seen || seen == 0
        #expect(seen < count / chunk / 2)
        mayWrite.signal()
        #expect(status.wait() == 1)
        #expect(written.value == count)
    }

    @Test func theEndOfTheOutputEndsTheServer() {
        let input = ByteStream()
        let loop = ServerLoop(version: "1", read: { input.read() }, write: { _ in false })
        input.write(MessageReader.framed(["jsonrpc": "2.0", "id": 1, "method": "shutdown"]))
        #expect(loop.run() == 1)
        input.close()
    }

    @Test func aProcessWhoseOutputIsClosedEndsQuietly() throws {
        let process = Process()
        process.executableURL = Self.products.appendingPathComponent("baton")
        process.arguments = ["lsp"]
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try output.fileHandleForReading.close()
        let request = MessageReader.framed(["jsonrpc": "2.0", "id": 1, "method": "shutdown"])
        try input.fileHandleForWriting.write(contentsOf: Data(request))
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 1)
        #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
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

/// A number that threads count up.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    /// Counts one more, and returns the number.
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A stream in memory. The lock is that of `condition`.
private final class ByteStream: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var isClosed = false

    @discardableResult func write(_ more: [UInt8]) -> Bool {
        condition.withLock { bytes += more }
        condition.signal()
        return true
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
