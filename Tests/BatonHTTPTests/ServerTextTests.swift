import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// The texts of a server's response in errors, and the parts that errors leave out.
@Suite struct ServerTextTests {
    private static let url = URL(string: "http://host/graphql") ?? URL(fileURLWithPath: "/")
    private static let secure = URL(string: "https://host/graphql") ?? URL(fileURLWithPath: "/")

    private static func failure(
        _ answer: ScriptedTransport.Answer, at url: URL = url, headers: HTTPHeaders = [:]
    ) async -> RelayError? {
        let network = HTTPNetwork(url: url, transport: ScriptedTransport { _ in answer }, headers: { _ in headers })
        do { _ = try await network.send(.make()) } catch { return error as? RelayError }
        return nil
    }

    @Test("an empty body is called that", arguments: [200, 204])
    func anEmptyBodyIsCalledThat(_ status: Int) async {
        for type in ["application/json", "text/html"] {
            let error = await Self.failure(.init(status, ["Content-Type": type], .whole("")))
            #expect(error == .transport(HTTPError.emptyBody(status: status)))
            #expect(error?.description.contains("empty body") == true)
        }
        let untyped = await Self.failure(.init(status, [:], .whole("")))
        #expect(untyped == .transport(HTTPError.emptyBody(status: status)))
    }

    @Test(
        "an error does not repeat the credentials of its request",
        arguments: ["Bearer s3cr3t-t0ken", "Basic s3cr3t-t0ken", "s3cr3t-t0ken", "session=s3cr3t-t0ken; a=b"])
    func anErrorDoesNotRepeatCredentials(_ value: String) async {
        let token = "s3cr3t-t0ken"
        let text = "no entry for \(value), that is \(token)"
        for header in ["Authorization", "Cookie", "X-Api-Key"] {
            let answers: [ScriptedTransport.Answer] = [
                .init(403, ["Content-Type": "text/plain"], .whole(text)),
                .init(200, ["Content-Type": "text/plain; \(token)"], .whole(text)),
                .init(302, ["Location": "https://elsewhere/\(token)/x"], .whole("")),
                .init(200, ["Content-Type": "application/json; charset=\(token)"], .whole("{}")),
            ]
            for answer in answers {
                let error = await Self.failure(answer, headers: [header: value])
                #expect(error.map { "\($0)".contains("***") && !"\($0)".contains(token) } == true)
            }
        }
    }

    @Test("a token that the cut of the text has halved is struck out too")
    func aTokenThatIsCutInHalfIsStruckToo() async {
        let text = String(repeating: "x", count: 490) + "s3cr3t-t0ken"
        let answer = ScriptedTransport.Answer(500, ["Content-Type": "text/plain"], .whole(text))
        let error = await Self.failure(answer, headers: ["Authorization": "Bearer s3cr3t-t0ken"])
        #expect(error == .httpStatus(500, body: String(repeating: "x", count: 490) + "***"))
    }

    @Test("a header that is no secret stays in the text")
    func otherHeadersStayInTheText() async {
        let answer = ScriptedTransport.Answer(
            500, ["Content-Type": "text/plain"], .whole("application/json it is; abc"))
        let error = await Self.failure(answer, headers: ["Accept": "application/json", "X-Short": "abc"])
        #expect(error == .httpStatus(500, body: "application/json it is; abc"))
    }

    @Test("a location or a type of any length is cut")
    func aLongLocationOrTypeIsCut() async {
        let long = String(repeating: "y", count: 100_000)
        for answer in [
            ScriptedTransport.Answer(302, ["Location": "https://elsewhere/\(long)"], .whole("")),
            .init(200, ["Content-Type": "text/\(long)"], .whole("x")),
            .init(200, ["Content-Type": "application/json; charset=\(long)"], .whole("{}")),
        ] {
            let error = await Self.failure(answer)
            #expect(error.map { "\($0)".utf8.count < 2_000 } == true)
        }
    }

    // MARK: - The scheme

    @Test(
        "a port without TLS that is asked with 'https' is guessed",
        arguments: [
            "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
            "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435703 SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER]))",
            "An unexpected TLS packet was received.",
        ])
    func aPortWithoutTLSIsGuessed(_ reason: String) async {
        let network = HTTPNetwork(
            url: Self.secure, transport: ScriptedTransport { _ in throw HTTPError.tls(reason: reason) })
        let error = await #expect(throws: RelayError.self) { try await network.send(.make()) }
        #expect(error == .transport(HTTPError.wrongScheme("https", reason: reason)))
        #expect(error?.description.contains("Use a URL with 'http'") == true)
        let other = HTTPNetwork(
            url: Self.secure, transport: ScriptedTransport { _ in throw HTTPError.tls(reason: "expired") })
        await #expect(throws: RelayError.transport(HTTPError.tls(reason: "expired"))) { try await other.send(.make()) }
    }

    @Test(
        "a port with TLS that is asked with 'http' is guessed",
        arguments: [
            "<center>The plain HTTP request was sent to HTTPS port</center>",
            "Client sent an HTTP request to an HTTPS server.\n",
            "Reason: You're speaking plain HTTP to an SSL-enabled server port.",
        ])
    func aPortWithTLSIsGuessed(_ body: String) async {
        let answer = ScriptedTransport.Answer(400, ["Content-Type": "text/html"], .whole(body))
        let error = await Self.failure(answer)
        #expect(error?.description.contains("Use a URL with 'https'") == true)
        #expect(await Self.failure(answer, at: Self.secure)?.status == 400)
    }

    @Test("a port without TLS gets one advice, whether it is asked with 'https' or with 'wss'")
    func aPortWithoutTLSGetsOneAdvice() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        defer { server.stop() }
        for (scheme, other) in [("https", "http"), ("wss", "ws")] {
            let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/graphql"))
            let network: any NetworkLayer =
                scheme == "https"
                ? HTTPNetwork(url: url, transport: try CurlTransport())
                : WebSocketNetwork(url: url, transport: try CurlWebSocketTransport())
            let error = await #expect(throws: RelayError.self) { try await network.send(.make()) }
            guard case .transport(HTTPError.wrongScheme(scheme, _)) = error?.reason else {
                Issue.record("\(error as Any)")
                continue
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("seems not to speak TLS at this port, and was asked with '\(scheme)'"))
            #expect(text.contains("Use a URL with '\(other)', or with another port."))
        }
    }

    @Test("an answer to another handshake is not taken for a port with TLS")
    func anAnswerToAnotherHandshakeIsCalledThat() async throws {
        let server = try LoopbackServer { _ in
            let head = "HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            return .bytes(Array("\(head)Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n".utf8))
        }
        defer { server.stop() }
        let network = WebSocketNetwork(url: server.url, transport: try CurlWebSocketTransport())
        let error = await #expect(throws: RelayError.self) { try await network.send(.make()) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("'Sec-WebSocket-Accept' does not belong to the key"))
        #expect(!text.contains("TLS") && !text.contains("https"))
    }

    @Test("a connection that breaks may have the wrong scheme, until there is a response")
    func aBrokenConnectionMayHaveTheWrongScheme() async throws {
        let isBroken = Guarded(true)
        let network = HTTPNetwork(
            url: Self.url,
            transport: ScriptedTransport { _ in
                if isBroken.withLock(\.self) { throw HTTPError.closed(reason: "reset") }
                return .json("{}")
            })
        func reason() async -> String? {
            do { _ = try await network.send(.make()) } catch { return "\(error)" }
            return nil
        }
        #expect(await reason()?.contains("expects 'https'") == true)
        isBroken.withLock { $0 = false }
        #expect(await reason() == nil)
        isBroken.withLock { $0 = true }
        #expect(await reason()?.contains("https") == false)
    }

    // MARK: - GET

    @Test("variables that are too large for a URL are not encoded for it")
    func largeVariablesAreNotEncodedForAURL() {
        let large = JSONValue.array((0..<100_000).map { .string("\($0)") })
        let members = [JSONValue.Member("query", "{ a }"), .init("variables", .object([.init("list", large)]))]
        #expect(RequestContent.isLonger(members, than: 8_000))
        #expect(!RequestContent.isLonger(members, than: 10_000_000))
        // A list may be short, and its only text long.
        let text = JSONValue.array([.string(String(repeating: "x", count: 8_001))])
        #expect(RequestContent.isLonger([.init("variables", text)], than: 8_000))
        #expect(!RequestContent.isLonger([.init("variables", text)], than: 8_100))
        let content = RequestContent(
            .make(variables: [.init("text", .string(String(repeating: "\u{1F600}", count: 3_000)))]), .text("{ a }"))
        #expect(content.url(at: Self.url, limit: 8_000) == nil)
        #expect(content.url(at: Self.url, limit: 100_000) != nil)
        let small = RequestContent(.make(variables: [.init("n", 1)]), .text("{ a }"))
        for limit in 0..<200 {
            let url = small.url(at: Self.url, limit: limit)
            #expect((url == nil) == ((small.url(at: Self.url, limit: 1_000)?.absoluteString.utf8.count ?? 0) > limit))
        }
    }
}
