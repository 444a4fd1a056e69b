import Baton
import BatonCurl
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// What the ends of transfers over libcurl are called.
@Suite(.timeLimit(.minutes(20)))
struct CurlEndTests {
    private static let body = Array(#"{"data":{"things":[{"id":"1","label":"lamp"}]}}"#.utf8)

    /// A compressed body and how it is framed.
    struct Framed: CustomTestStringConvertible, Sendable {
        enum Framing: CaseIterable { case counted, chunked, closed, inPieces }
        let name: String
        let content: [UInt8]
        let framing: Framing

        var testDescription: String { "\(name), \(framing)" }

        var reply: LoopbackServer.Reply {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
            let counted = Array("\(head)Content-Length: \(content.count)\r\n\r\n".utf8)
            switch framing {
            case .counted: return .kept(counted + content)
            case .chunked:
                let size = String(content.count, radix: 16)
                return .kept(
                    Array("\(head)Transfer-Encoding: chunked\r\n\r\n\(size)\r\n".utf8) + content
                        + Array("\r\n0\r\n\r\n".utf8))
            case .closed: return .bytes(Array("\(head)Connection: close\r\n\r\n".utf8) + content)
            case .inPieces:
                return .written { [content] writer in
                    writer.write(counted)
                    for byte in content { writer.write([byte]) }
                }
            }
        }

        static let all: [Framed] = Framing.allCases.flatMap { framing in
            let whole = Gzip.member(CurlEndTests.body)
            return [
                (
                    "two members",
                    Gzip.member(CurlEndTests.body.prefix(20)) + Gzip.member(CurlEndTests.body.dropFirst(20))
                ),
                ("an empty member", whole + Gzip.member([])), ("other bytes", whole + Array("something".utf8)),
                ("zeros", whole + [0, 0, 0, 0]),
            ].map { Framed(name: $0.0, content: $0.1, framing: framing) }
        }
    }

    @Test(arguments: Framed.all)
    func whatFollowsACompressedBodyIsNoBreak(_ answer: Framed) async throws {
        let server = try LoopbackServer { _ in answer.reply }
        defer { server.stop() }
        let network = HTTPNetwork(url: server.url, transport: try CurlTransport())
            .intercepted(by: RetryInterceptor(firstDelay: .milliseconds(1)))
        let error = await #expect(throws: RelayError.self) { try await network.send(.make()) }
        guard case .transport(HTTPError.compression) = error?.reason else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(server.requests.count == 1)
    }

    @Test func oneMemberIsRead() async throws {
        for framing in Framed.Framing.allCases {
            let answer = Framed(name: "one", content: Gzip.member(Self.body), framing: framing)
            let server = try LoopbackServer { _ in answer.reply }
            defer { server.stop() }
            let network = HTTPNetwork(url: server.url, transport: try CurlTransport())
            #expect(try await network.send(.make()).body == Self.body)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 abc OK", "HTTP/1.1 99 OK", "HTTP/1.1 1000 OK", "HTTP/1.1 20", "HTTP/3.7 abc", "HTTP/4 200 OK",
        "HTTP/1.9 200 OK", "HTTP/0.9 200 OK", "SSH-2.0-OpenSSH_9", "HTTP/x", "RTSP/1.0 200 OK",
        "220 mail.invalid ESMTP",
    ])
    func aLineThatIsNoStatusIsNoHTTP(_ line: String) async throws {
        let server = try LoopbackServer { _ in .bytes(Array("\(line)\r\nContent-Length: 2\r\n\r\n{}".utf8)) }
        defer { server.stop() }
        let transport = try CurlTransport()
        for request in [HTTPRequest(.post, server.url, body: .bytes([1])), HTTPRequest(.get, server.url)] {
            await #expect(throws: HTTPError.notHTTP) { try await transport.send(request) }
        }
    }

    @Test func aHeadThatTheLibraryRefusesIsNoHTTP() async throws {
        for size in [150_000, 99_000] {
            let field = "X-A: " + String(repeating: "a", count: size) + "\r\n"
            let server = try LoopbackServer { _ in
                .bytes(Array(("HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 5) + "\r\n").utf8))
            }
            defer { server.stop() }
            await #expect(throws: HTTPError.notHTTP) {
                try await CurlTransport(maximumHeadSize: 4 << 20).send(HTTPRequest(.get, server.url))
            }
        }
    }

    @Test func codesTellEndsApartAndWordsDoNot() {
        func make(_ code: Int, _ change: (inout CurlEnd) -> Void = { _ in }) -> HTTPError {
            var end = CurlEnd(code: Int32(code), text: "unencoding CONNECT HTTP/0.9 Out of memory")
            change(&end)
            return .make(end)
        }
        let text = "unencoding CONNECT HTTP/0.9 Out of memory"
        #expect(make(BATON_CURLE_UNSUPPORTED_PROTOCOL) == .badURL(reason: text))
        #expect(make(BATON_CURLE_UNSUPPORTED_PROTOCOL) { $0.wasSent = true } == .notHTTP)
        #expect(make(BATON_CURLE_OUT_OF_MEMORY) == .failed(reason: text))
        #expect(make(BATON_CURLE_TOO_LARGE) { $0.wasSent = true } == .notHTTP)
        #expect(make(BATON_CURLE_RECV_ERROR) { $0.wasSent = true } == .closed(reason: text))
        #expect(make(BATON_CURLE_RECV_ERROR) { $0.tunnelStatus = 403 } == .refused(reason: text))
        #expect(make(BATON_CURLE_RECV_ERROR) { $0.tunnelStatus = 200 } == .closed(reason: text))
        #expect(make(BATON_CURLE_WRITE_ERROR) == .failed(reason: text))
        #expect(make(BATON_CURLE_BAD_FUNCTION_ARGUMENT) == .tls(reason: text))
        #expect(make(BATON_CURLE_BAD_FUNCTION_ARGUMENT) { $0.wasSent = true } == .failed(reason: text))
        let compression = make(BATON_CURLE_WRITE_ERROR) { $0.hasResponse = true }
        if case .compression = compression {} else { Issue.record("\(compression)") }
    }

    @Test func aLibraryIsRefusedForItsOwnReason() {
        let statuses = [
            BATON_CURL_MISSING, BATON_CURL_STATIC, BATON_CURL_TOO_OLD, BATON_CURL_WITHOUT_RESOLVER, BATON_CURL_FAILED,
        ]
        let texts = statuses.map { "\(CurlLibrary.unavailable($0, version: "8.9.0"))" }
        #expect(Set(texts).count == statuses.count)
        #expect(texts.filter { $0.contains("too old") } == [texts[2]])
        #expect(texts[3].contains("resolver") && texts[3].contains("8.9.0"))
    }
}
