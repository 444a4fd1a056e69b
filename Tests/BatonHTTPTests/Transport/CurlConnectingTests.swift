import Baton
import BatonText
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// Certificates, Unix sockets and proxies, with the servers of `Tests/Integration/connecting.py`.
///
/// The variables of proxies are those of the whole process, so no other test may run beside these.
@Suite(
    .enabled(if: Servers.areRunning, "Tests/Integration/connecting.py runs it"), .serialized, .timeLimit(.minutes(20)))
struct CurlConnectingTests {
    private static let variables = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap {
        [$0, $0.uppercased()]
    }

    /// Options that trust the servers.
    private static func trusting(_ change: (inout CurlOptions) throws -> Void = { _ in }) throws -> CurlOptions {
        var options = CurlOptions()
        options.authorities = try Servers.file("authority.pem")
        try change(&options)
        return options
    }

    private static func text(_ options: CurlOptions, _ url: URL) async throws -> String {
        try await CurlTransport(options).send(HTTPRequest(.post, url, body: .bytes([97]))).text
    }

    private static func expectTLSError(_ options: CurlOptions, _ url: URL) async throws {
        let error = await #expect(throws: HTTPError.self) { try await text(options, url) }
        if case .tls? = error {} else { Issue.record("\(String(describing: error))") }
    }

    /// What comes back over a socket.
    private static func echo(_ options: CurlOptions, _ url: URL) async throws -> WebSocketMessage {
        let connection = try await CurlWebSocketTransport(options).connect(
            to: url, headers: [:], subprotocols: ["one"], maximumMessageSize: 1 << 20)
        #expect(connection.subprotocol == "one")
        try await connection.send(Array("\u{20AC}".utf8))
        let message = try await connection.receive()
        await connection.close(code: 1000, reason: "")
        return message
    }

    private static let euro = WebSocketMessage.text(Array("\u{20AC}".utf8))

    // MARK: - Certificates

    @Test func aServerOfOnesOwnAuthorityIsTrusted() async throws {
        #expect(try await Self.text(Self.trusting(), Servers.secure.url) == "2")
        #expect(try await Self.echo(Self.trusting(), Servers.secure.url) == Self.euro)
        try await Self.expectTLSError(CurlOptions(), Servers.secure.url)
        await #expect(throws: HTTPError.self) { try await Self.echo(CurlOptions(), Servers.secure.url) }
        try await Self.expectTLSError(Self.trusting { $0.authorities = "/nowhere.pem" }, Servers.secure.url)
    }

    @Test func aServerThatWantsACertificateIsShownOne() async throws {
        for key in ["client-key.pem", "locked-key.pem"] {
            let options = try Self.trusting { options in
                options.certificate = try Servers.file("client.pem")
                options.certificateKey = try Servers.file(key)
                options.keyPassword = "secret"
            }
            #expect(try await Self.text(options, Servers.guarded.url) == "2")
            #expect(try await Self.echo(options, Servers.guarded.url) == Self.euro)
        }
        // The server says so after the handshake of TLS 1.3, and may close before that is read.
        let error = await #expect(throws: HTTPError.self) { try await Self.text(Self.trusting(), Servers.guarded.url) }
        switch error {
        case .tls?, .closed?: break
        default: Issue.record("\(String(describing: error))")
        }
        try await Self.expectTLSError(
            Self.trusting { options in
                options.certificate = try Servers.file("client.pem")
                options.certificateKey = try Servers.file("locked-key.pem")
                options.keyPassword = "wrong"
            }, Servers.guarded.url)
    }

    @Test func onlyAPinnedKeyIsAccepted() async throws {
        let pin = try String(contentsOfFile: Servers.file("pin.txt"), encoding: .utf8)
        let other = Data(SHA256.digest(of: [])).base64EncodedString()
        let url = try Servers.secure.url
        #expect(try await Self.text(Self.trusting { $0.pinnedKeys = [other, pin] }, url) == "2")
        #expect(try await Self.echo(Self.trusting { $0.pinnedKeys = [other, pin] }, url) == Self.euro)
        try await Self.expectTLSError(Self.trusting { $0.pinnedKeys = [other] }, url)
        await #expect(throws: HTTPError.self) { try await Self.echo(Self.trusting { $0.pinnedKeys = [other] }, url) }
    }

    // MARK: - Unix sockets

    @Test func aUnixSocketTakesThePlaceOfTheHost() async throws {
        var options = CurlOptions()
        options.unixSocket = try Servers.value("BATON_UNIX")
        let url = try #require(URL(string: "http://host.invalid/graphql"))
        let transport = try CurlTransport(options)
        for _ in 0..<3 { #expect(try await transport.send(HTTPRequest(.post, url, body: .bytes([97]))).text == "1.1") }
        #expect(try await Self.echo(options, url) == Self.euro)
        options.unixSocket = "/nowhere"
        let error = await #expect(throws: HTTPError.self) { try await Self.text(options, url) }
        if case .refused? = error {} else { Issue.record("\(String(describing: error))") }
    }

    // MARK: - Proxies

    @Test func aTunnelCarriesTLS() async throws {
        let options = try Self.trusting { $0.proxy = .url(try Servers.proxy.url) }
        let url = try Servers.secure.url
        let before = try await Servers.log().count
        let transport = try CurlTransport(options)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { try await transport.send(HTTPRequest(.post, url, body: .bytes([97]))).text }
            }
            for try await text in group { #expect(text == "2") }
        }
        #expect(try await Self.echo(options, url) == Self.euro)
        let target = "CONNECT 127.0.0.1:\(url.port ?? 0)"
        // One for the requests, and one for the socket.
        #expect(try await Array(Servers.log().dropFirst(before)) == [target, target])
    }

    @Test func aProxyMayAskForAPassword() async throws {
        var parts = try #require(URLComponents(url: Servers.proxy.url, resolvingAgainstBaseURL: false))
        (parts.user, parts.password) = ("user", "secret")
        let proxy = try #require(parts.url)
        let plain = try #require(URL(string: "http://guarded.invalid/"))
        let secure = try #require(URL(string: "https://guarded.invalid:\(Servers.secure.url.port ?? 0)/"))
        #expect(try await Self.text(Self.trusting { $0.proxy = .url(proxy) }, plain) == "by the proxy")
        // The tunnel is made, and its end has a certificate for another name.
        try await Self.expectTLSError(Self.trusting { $0.proxy = .url(proxy) }, secure)
        let without = try Self.trusting { $0.proxy = .url(try Servers.proxy.url) }
        #expect(try await CurlTransport(without).send(HTTPRequest(.get, plain)).status == 407)
        for url in [secure, plain] {
            let error = await #expect(throws: HTTPError.self) { try await Self.echo(without, url) }
            if case .refused? = error {} else { Issue.record("\(String(describing: error))") }
        }
    }

    @Test func aProxyThatReachesNobodyIsATypedError() async throws {
        let options = try Self.trusting { $0.proxy = .url(try Servers.proxy.url) }
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let error = await #expect(throws: HTTPError.self) { try await Self.text(options, url) }
        if case .refused? = error {} else { Issue.record("\(String(describing: error))") }
        let nowhere = try Self.trusting { $0.proxy = .url(try #require(URL(string: "http://proxy.invalid:1"))) }
        let unknown = await #expect(throws: HTTPError.self) { try await Self.text(nowhere, url) }
        if case .nameNotFound? = unknown {} else { Issue.record("\(String(describing: unknown))") }
    }

    /// One variable, and whether requests over plain HTTP and over TLS go through the proxy then.
    @Test(arguments: [
        ("http_proxy", true, false), ("https_proxy", false, true), ("all_proxy", true, true),
        // A program that serves CGI has what a client says in `HTTP_PROXY`, so libcurl does not read it.
        ("HTTP_PROXY", false, false), ("HTTPS_PROXY", false, true), ("ALL_PROXY", true, true),
    ])
    func theVariablesOfProxiesCount(_ name: String, _ plain: Bool, _ secure: Bool) async throws {
        defer { Self.clearVariables() }
        Self.clearVariables()
        setenv(name, try Servers.value("BATON_PROXY"), 1)
        let server = try LoopbackServer { _ in .json("direct") }
        let byProxy = plain ? "by the proxy" : "direct"
        #expect(try await Self.text(CurlOptions(), server.url) == byProxy)
        let before = try await Servers.log().count
        #expect(try await Self.text(Self.trusting(), Servers.secure.url) == "2")
        #expect(try await Servers.log().count == before + (secure ? 1 : 0))
        #expect(try await Self.echo(Self.trusting(), Servers.secure.url) == Self.euro)
        #expect(try await Servers.log().count == before + (secure ? 2 : 0))
        // What is said in the options counts before them.
        #expect(try await Self.text(Self.trusting { $0.proxy = .none }, server.url) == "direct")
        for exception in ["no_proxy", "NO_PROXY"] {
            for value in ["127.0.0.1", "elsewhere,127.0.0.1", "*"] {
                setenv(exception, value, 1)
                #expect(try await Self.text(CurlOptions(), server.url) == "direct", "\(exception)=\(value)")
                #expect(try await Self.text(Self.trusting(), Servers.secure.url) == "2")
            }
            setenv(exception, "elsewhere", 1)
            #expect(try await Self.text(CurlOptions(), server.url) == byProxy)
            unsetenv(exception)
        }
        #expect(try await Servers.log().count >= before)
    }

    private static func clearVariables() { for name in variables { unsetenv(name) } }

    // MARK: - Tickets of TLS

    /// Sends requests one after the other, and returns how many connections they took.
    private static func connections(of requests: Int, to url: URL, pause: Duration) async throws -> Int {
        let transport = try CurlTransport(trusting())
        var connections: [String] = []
        for _ in 0..<requests {
            connections.append(try await transport.send(HTTPRequest(.get, url)).text)
            try await Task.sleep(for: pause)
        }
        return Set(connections).count
    }

    /// What waits on a connection may be a ticket or a response that nobody asked for: it costs the connection. Those
    /// that a server sends before its first response are read with it, and cost none.
    @Test(arguments: [("early", 1), ("one", 2), ("late", 20)])
    func aTicketCostsAConnectionAtMostOnce(_ path: String, _ expected: Int) async throws {
        let once = path + "?\(Int.random(in: 0..<1 << 40))"
        let url = try #require(URL(string: Servers.tickets.url.absoluteString + once))
        let count = try await Self.connections(of: 20, to: url, pause: .milliseconds(100))
        print("tickets over libcurl \(CurlLibrary.version), \(path): 20 requests, \(count) connections")
        #expect(count == expected)
    }

    @Test(.enabled(if: Servers.haveNginx, "nginx was not found"), arguments: [0, 5, 100])
    func ticketsOfNginxCostNoConnection(_ pause: Int) async throws {
        let url = try Servers.nginxWithoutStreams.url
        let count = try await Self.connections(of: 40, to: url, pause: .milliseconds(pause))
        print("tickets over libcurl \(CurlLibrary.version), nginx, \(pause) ms: 40 requests, \(count) connections")
        #expect(count == 1)
    }

    // MARK: - A server that others wrote

    /// It takes eight streams and a hundred requests on a connection, and says in time that it closes one.
    @Test(.enabled(if: Servers.haveNginx, "nginx was not found")) func nginxClosesConnectionsAndNothingIsLost()
        async throws
    {
        let url = try Servers.nginx.url
        let transport = try CurlTransport(Self.trusting())
        var connections: Set<String> = []
        for _ in 0..<250 {
            let text = try await transport.send(HTTPRequest(.get, url)).text
            #expect(text.hasPrefix("HTTP/2.0 "))
            connections.insert(text)
        }
        #expect(connections.count == 3)
    }

    @Test(.enabled(if: Servers.haveNginx, "nginx was not found")) func moreStreamsThanNginxAllowsWait() async throws {
        let url = try Servers.nginx.url
        let transport = try CurlTransport(Self.trusting())
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    do {
                        return try await transport.send(HTTPRequest(.get, url)).text
                    } catch HTTPError.closed {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // What was under way when the server closed a connection is not sent again.
        #expect(answers.count { $0 == nil } <= 100)
        // The server closes a connection after 100 requests, at times early when the machine is busy; each connection
        // carries many.
        #expect(Set(answers.compactMap(\.self)).count <= 200)
    }
}

/// What the script says in the environment.
private enum Servers: String {
    case secure = "BATON_SECURE"
    case guarded = "BATON_GUARDED"
    case proxy = "BATON_PROXY"
    case nginx = "BATON_NGINX"
    case nginxWithoutStreams = "BATON_NGINX_1"
    case tickets = "BATON_TICKETS"

    static let areRunning = ProcessInfo.processInfo.environment["BATON_GUARDED"] != nil
    static let haveNginx = ProcessInfo.processInfo.environment["BATON_NGINX"] != nil

    var url: URL { get throws { try #require(URL(string: try Self.value(rawValue))) } }

    static func value(_ name: String) throws -> String { try #require(ProcessInfo.processInfo.environment[name]) }

    static func file(_ name: String) throws -> String { try value("BATON_CERTIFICATES") + "/" + name }

    /// The requests that the proxy had.
    static func log() async throws -> [String] {
        var options = CurlOptions()
        options.proxy = .none
        let url = try proxy.url.appendingPathComponent("log")
        return try await CurlTransport(options).send(HTTPRequest(.get, url)).text.split(separator: "\n").map {
            String($0)
        }
    }
}
