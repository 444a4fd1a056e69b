import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// Responses that nobody asked for, on connections that are kept.
@Suite(.timeLimit(.minutes(20)))
struct CurlStrayTests {
    /// A server that sends another response 50 ms after each one. Each response is a number of its own.
    private struct Server {
        struct Record {
            /// The number of responses, and when each was there for its reader at the latest.
            var responsesBegun = 0
            var sent: [Int: ContinuousClock.Instant] = [:]
            /// When each mutation was received whole.
            var received: [Int: [ContinuousClock.Instant]] = [:]
            /// The response to each mutation.
            var responses: [Int: Int] = [:]
            var connections = 0
        }

        final class Book: Sendable {
            let record = Guarded(Record())

            func receive(_ mutation: Int) { record.withLock { $0.received[mutation, default: []].append(.now) } }

            /// Writes a response with a number of its own.
            func send(to writer: LoopbackServer.Writer, for mutation: Int? = nil) -> Bool {
                let number = record.withLock { record in
                    let number = record.responsesBegun
                    record.responsesBegun += 1
                    if let mutation { record.responses[mutation] = number }
                    return number
                }
                let body = #"{"data":\#(number)}"#
                let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                guard writer.write(text) else { return false }
                record.withLock { $0.sent[number] = .now }
                return true
            }
        }

        let book = Book()
        let url: URL
        private let server: LoopbackServer

        init() throws {
            let book = book
            server = try LoopbackServer { request in
                book.record.withLock { $0.connections += 1 }
                return .written { writer in
                    var reader = Reader(writer, book)
                    reader.take(request.headers["x-mutation"])
                    while let mutation = reader.next() {
                        guard book.send(to: writer, for: mutation) else { return }
                        reader.wait(milliseconds: 50)
                        guard book.send(to: writer) else { return }
                    }
                }
            }
            url = server.url
        }

        /// Notes when each request was received, also those that come while the connection has something else to do.
        private struct Reader {
            private let writer: LoopbackServer.Writer
            private let book: Book
            private var bytes: [UInt8] = []
            private var mutations: [Int] = []
            private var isOver = false

            init(_ writer: LoopbackServer.Writer, _ book: Book) { (self.writer, self.book) = (writer, book) }

            mutating func take(_ text: String?) {
                guard let mutation = text.flatMap({ Int($0) }) else { return }
                book.receive(mutation)
                mutations.append(mutation)
            }

            /// The next mutation; nil at the end of the connection.
            mutating func next() -> Int? {
                while mutations.isEmpty, !isOver { wait(milliseconds: 1_000) }
                return mutations.isEmpty ? nil : mutations.removeFirst()
            }

            mutating func wait(milliseconds: Int) {
                let end = ContinuousClock.now + .milliseconds(milliseconds)
                while !isOver, case let rest = ContinuousClock.now.duration(to: end).milliseconds, rest > 0 {
                    guard writer.waits(milliseconds: Int32(rest)) else { continue }
                    let more = writer.read()
                    isOver = more.isEmpty
                    bytes += more
                    // Each request ends with the only brace in it.
                    while let end = bytes.firstIndex(of: UInt8(ascii: "}")) {
                        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
                        bytes.removeSubrange(...end)
                        take(lines.first { $0.hasPrefix("X-Mutation: ") }.map { String($0.dropFirst(12)) })
                    }
                }
            }
        }
    }

    /// What the tasks that send have got.
    private final class Results: Sendable {
        private struct State {
            var next = 0
            var begun: [Int: ContinuousClock.Instant] = [:]
            var all: [Int: Int] = [:]
        }

        private let state = Guarded(State())
        var all: [Int: Int] { state.withLock(\.all) }
        /// When each mutation was given to the transport.
        var begun: [Int: ContinuousClock.Instant] { state.withLock(\.begun) }
        func noteBegin(of mutation: Int) { state.withLock { $0.begun[mutation] = .now } }
        func note(_ result: Int, of mutation: Int) { state.withLock { $0.all[mutation] = result } }
        func next(below count: Int) -> Int? {
            state.withLock { state in
                guard state.next < count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }
    }

    /// How many mutations are sent; a long run says more.
    private static let count = ProcessInfo.processInfo.environment["BATON_STRAYS"].flatMap { Int($0) } ?? 320

    /// A response that is sent while a request goes out cannot be told from its own. Each that was there before the
    /// mutation was given to the transport is none, and each mutation is carried out once.
    @Test func aResponseThatNobodyAskedForIsNoResult() async throws {
        let server = try Server()
        let transport = try CurlTransport(connections: 64)
        // Tests/Integration/newest-libcurl.sh says which one it puts in place of the system's.
        let wanted = ProcessInfo.processInfo.environment["BATON_LIBCURL"]
        #expect(wanted == nil || CurlLibrary.version == wanted)
        let results = Results()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    var random = SystemRandomNumberGenerator()
                    while true {
                        guard let mutation = results.next(below: Self.count) else { return }
                        let request = HTTPRequest(
                            .post, server.url, headers: ["X-Mutation": "\(mutation)"], body: .bytes(Array("{}".utf8)))
                        results.noteBegin(of: mutation)
                        let text = try await transport.send(request).text
                        results.note(Int(text.dropFirst(8).dropLast()) ?? -1, of: mutation)
                        try await Task.sleep(for: .milliseconds(Int.random(in: 70...200, using: &random)))
                    }
                }
            }
            try await group.waitForAll()
        }
        let (record, begun) = (server.book.record.withLock { $0 }, results.begun)
        var others = 0
        for (mutation, result) in results.all {
            guard let received = record.received[mutation], received.count == 1 else {
                Issue.record("mutation \(mutation) was received at \(record.received[mutation] ?? [])")
                continue
            }
            guard result != record.responses[mutation] else { continue }
            others += 1
            guard let sent = record.sent[result] else { continue }
            #expect(try #require(begun[mutation]) < sent, "mutation \(mutation) got what was sent before it")
        }
        #expect(results.all.count == Self.count)
        print(
            "strays over libcurl \(CurlLibrary.version): \(Self.count) mutations, \(record.connections) connections, \(others) responses of others"
        )
    }

    /// Some libraries read more of a connection than one response.
    @Test(arguments: ["Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"])
    func aResponseInThePacketOfAnotherOneIsNoResult(_ first: String) async throws {
        let stray = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"
        let server = try LoopbackServer { _ in .kept(Array(("HTTP/1.1 200 OK\r\n" + first + stray).utf8)) }
        let transport = try CurlTransport()
        for number in 0..<20 {
            let request = HTTPRequest(.post, server.url, body: .bytes(Array("\(number)".utf8)))
            #expect(try await transport.send(request).text == "{}")
        }
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == (0..<20).map { "\($0)" })
    }

    @Test(arguments: ["HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", ""])
    func aGoodbyeOfAKeptConnectionIsNoResult(_ goodbye: String) async throws {
        let ends = Guarded(0)
        let server = try LoopbackServer { request in
            .written { writer in
                writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                Thread.sleep(forTimeInterval: 0.05)
                writer.write(goodbye)
                writer.end()
                ends.withLock { $0 += 1 }
            }
        }
        let transport = try CurlTransport()
        for (number, method) in [HTTPRequest.Method.post, .get, .delete, .post].enumerated() {
            let body = method == .post ? HTTPRequest.Body.bytes([123, 125]) : .none
            #expect(try await transport.send(HTTPRequest(method, server.url, body: body)).text == "{}")
            // A request on a connection that the server is just closing may get no response, as HTTP has it.
            await until { ends.withLock { $0 } > number }
        }
        #expect(server.requests.count == 4)
    }

    @Test func aServerThatSpeaksFirstIsATypedError() async throws {
        let server = try LoopbackServer(greeting: "220 mail.invalid ESMTP\r\n") { _ in .json("{}") }
        let transport = try CurlTransport()
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPError.self) {
                try await transport.send(HTTPRequest(.post, server.url, body: .bytes([123, 125]))).text
            }
            switch error {
            // Where its words come after the look, they are no answer to a request without a body that has gone out.
            case .closed?, .notHTTP?: break
            default: Issue.record("\(String(describing: error))")
            }
        }
    }
}
