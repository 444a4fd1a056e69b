import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import ResponseRedis
import Testing

@testable import Web

/// Who is signed in at several processes, each of which was started with `--redis`.
@Suite(.timeLimit(.minutes(20))) struct RedisSessionsTests {
    private let redis: RedisServer

    init() async throws { redis = try await RedisServer() }

    private func process() throws -> Site {
        try Program.site(Options(["--redis", "127.0.0.1:\(redis.port)"]), Logger(label: "test"))
    }

    private func browse<Value: Sendable>(
        _ site: Site, _ body: @escaping @Sendable (Client) async throws -> Value
    ) async throws -> Value {
        try await Application(router: Routes(site: site).router).test(.router) { try await body(Client(client: $0)) }
    }

    private func token(_ cookie: String) throws -> Token {
        try #require(Token(sent: String(cookie.drop { $0 != "=" }.dropFirst())))
    }

    @Test func processesShareWhoIsSignedIn() async throws {
        let (first, second) = (try process(), try process())
        let cookie = try await browse(first) { try await $0.signIn("Ana") }
        for site in [first, second, try process()] {
            #expect(try await browse(site) { try await $0.get("/", cookie: cookie).text.contains("Ana") })
            #expect(try await browse(site) { try await !$0.get("/").text.contains("Ana") })
        }
        _ = try await browse(second) { try await $0.post("/films/film:5/favorite", "on=yes", cookie: cookie) }
        #expect(try await first.sessions.visitor(token(cookie))?.favorites == ["film:5"])
        _ = try await browse(first) { try await $0.post("/sign-out", "", cookie: cookie) }
        #expect(try await browse(second) { try await !$0.get("/", cookie: cookie).text.contains("Ana") })
    }

    @Test func aSessionUnderTheNameOfAnotherOneIsNobodys() async throws {
        let sessions = try process().sessions
        let ana = try await sessions.begin(Visitor(name: "Ana"))
        let ben = try await sessions.begin(Visitor(name: "Ben"))
        try await redis.copy(ana, over: ben)
        #expect(try await sessions.visitor(ben) == nil)
        // Nor does a change of one reach the other one.
        try await sessions.mark("film:5", true, for: ben)
        try await redis.copy(ben, over: ana)
        #expect(try await sessions.visitor(ana)?.favorites == [])
    }
}

/// A `redis-server` on a port of its own, without a file.
private final class RedisServer: Sendable {
    let port = Int.random(in: 20_000..<60_000)
    private let id: pid_t
    private let client: RedisClient

    /// Starts the server, and returns when it answers.
    init() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--save", ""]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        id = process.processIdentifier
        client = try RedisClient(RedisAddress(port: port))
        while (try? await client.send([RedisCommand("PING")])) == nil { try await Task.sleep(for: .milliseconds(20)) }
    }

    deinit { kill(id, SIGKILL) }

    /// Puts the value of one session under the name of another one.
    func copy(_ token: Token, over other: Token) async throws {
        func name(_ token: Token) -> String { "episodes:s:\(token.text)" }
        let command = RedisCommand("COPY", name(token), name(other), "REPLACE")
        guard try await client.send([command]).first == .integer(1) else { throw RedisError.malformed }
    }
}
