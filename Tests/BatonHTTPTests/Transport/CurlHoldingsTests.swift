import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// What is left of many transports. It counts for the whole process, so no other test may run beside it.
@Suite(.enabled(if: Holdings.transports > 0, "BATON_TRANSPORTS says how many"), .serialized, .timeLimit(.minutes(20)))
struct CurlHoldingsTests {
    @Test func transportsThatWereUsedLeaveNothing() async throws {
        let server = try LoopbackServer { _ in .keptJSON("{}") }
        try await expectNothingLeft {
            let transport = try CurlTransport()
            let response = try await transport.send(HTTPRequest(.post, server.url, body: .bytes([123])))
            #expect(try await response.text == "{}")
        } until: {
            server.openConnections == 0
        }
    }

    @Test func transportsThatWereNotUsedLeaveNothing() async throws {
        try await expectNothingLeft {
            _ = try CurlTransport()
        } until: {
            true
        }
    }

    @Test func cancelledRequestsLeaveNothing() async throws {
        let server = try LoopbackServer { _ in .silence(after: Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8)) }
        try await expectNothingLeft {
            let transport = try CurlTransport()
            let response = try await transport.send(HTTPRequest(.post, server.url, body: .bytes([123])))
            var body = response.body.makeAsyncIterator()
            #expect(try await body.next() == Array("abc".utf8))
            let reading = Task { [body] in
                var body = body
                return try await body.next()
            }
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
        } until: {
            server.openConnections == 0
        }
    }

    @Test func socketsLeaveNothing() async throws {
        let server = try LoopbackServer.accepting { _ = $0.rest() }
        try await expectNothingLeft {
            let connection = try await CurlWebSocketTransport().connect(
                to: server.url, headers: [:], subprotocols: [], maximumMessageSize: 100)
            try await connection.send([97])
        } until: {
            server.openConnections == 0
        }
    }

    /// A program that this process runs gets no connection; the signals of the process stay as they were.
    @Test func anotherProgramGetsNoConnection() async throws {
        let server = try LoopbackServer { _ in .keptJSON("{}") }
        let pairs = try inheritedPairs()
        let transport = try CurlTransport()
        #expect(try await transport.send(HTTPRequest(.post, server.url, body: .bytes([123]))).text == "{}")
        // The library may wake itself with a pair of Unix sockets.
        #expect(try inheritedPairs().subtracting(pairs).isEmpty)
        // Neither end of the connection may be there; the server's ends are this process's own and are inherited.
        let listing = try #require(popen("cat /proc/net/tcp; ls -l /proc/self/fd", "r"))
        var text = ""
        while let line = readLine(from: listing) { text += line }
        pclose(listing)
        let port = String(server.port, radix: 16, uppercase: true)
        let clients = text.split(separator: "\n").compactMap { line -> String? in
            let fields = line.split(separator: " ")
            return fields.count > 9 && fields[2].hasSuffix(":" + port) && fields[3] == "01" ? String(fields[9]) : nil
        }
        #expect(clients.count == 1)
        for inode in clients { #expect(!text.contains("socket:[\(inode)]")) }
        #expect(try await transport.send(HTTPRequest(.post, server.url, body: .bytes([123]))).text == "{}")
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    /// The child has the sockets and not the thread; it ends, and what was under way goes on.
    @Test func aForkHarmsNoRequest() async throws {
        typealias Fork = @convention(c) () -> pid_t
        // Swift does not let it be called by its name.
        let fork = try #require(dlsym(nil, "fork").map { unsafeBitCast($0, to: Fork.self) })
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request in
            guard request.target == "/graphql" else { return .keptJSON("{}") }
            return .written { writer in
                // The server closes the connection at the end.
                writer.write("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
                writer.writeChunk("one")
                gate.wait()
                writer.writeChunk("two")
                writer.writeChunk("")
            }
        }
        let transport = try CurlTransport()
        let other = try #require(URL(string: "http://127.0.0.1:\(server.port)/other"))
        #expect(try await transport.send(HTTPRequest(.post, other)).text == "{}")
        let response = try await transport.send(HTTPRequest(.post, server.url))
        var body = response.body.makeAsyncIterator()
        #expect(try await body.next() == Array("one".utf8))
        let child = fork()
        if child == 0 { _exit(0) }
        var status: Int32 = 1
        #expect(waitpid(child, &status, 0) == child && status == 0)
        gate.signal()
        #expect(try await body.next() == Array("two".utf8))
        #expect(try await body.next() == nil)
        for _ in 0..<3 { #expect(try await transport.send(HTTPRequest(.post, other)).text == "{}") }
    }

    /// The Unix sockets that another program gets, by their numbers in the system's table.
    private func inheritedPairs() throws -> Set<String> {
        let listing = try #require(popen("cat /proc/net/unix; ls -l /proc/self/fd", "r"))
        defer { pclose(listing) }
        var (unix, inherited) = (Set<String>(), Set<String>())
        while let line = readLine(from: listing) {
            if let start = line.firstRange(of: "socket:[")?.upperBound {
                inherited.insert(String(line[start...].prefix { $0 != "]" }))
            } else if case let fields = line.split(separator: " "), fields.count > 6 {
                unix.insert(fields[6].trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        return inherited.intersection(unix)
    }

    private func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func expectNothingLeft(
        _ use: () async throws -> Void, until isQuiet: @Sendable () -> Bool
    ) async throws {
        // Threads, pools and tables are made once.
        for _ in 0..<20 { try await use() }
        await until { isQuiet() }
        let before = Holdings()
        for _ in 0..<Holdings.transports { try await use() }
        await until { isQuiet() }
        await until { Holdings().isWithin(before) }
        let after = Holdings()
        print("\(Holdings.transports) times: \(before) before, \(after) after")
        #expect(after.isWithin(before))
    }
}

/// What this process holds.
private struct Holdings: CustomStringConvertible {
    static let transports = ProcessInfo.processInfo.environment["BATON_TRANSPORTS"].flatMap { Int($0) } ?? 0

    let threads = Holdings.count("/proc/self/task")
    let descriptors = Holdings.count("/proc/self/fd")
    let memory: Int

    init() {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        memory = (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }

    var description: String { "\(threads) threads, \(descriptors) descriptors, \(memory >> 20) MB" }

    /// Some threads and descriptors are those of the system's pools, and some memory that of the test itself.
    func isWithin(_ other: Holdings) -> Bool {
        threads <= other.threads + 8 && descriptors <= other.descriptors + 4 && memory <= other.memory + 64 << 20
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
