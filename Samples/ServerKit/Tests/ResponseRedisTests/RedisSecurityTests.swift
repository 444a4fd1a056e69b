import Baton
import BatonHTTP
import Foundation
import Testing

@testable import ResponseRedis

/// What a connection and a value must be before they are trusted.
@Suite(.timeLimit(.minutes(20))) struct RedisSecurityTests {
    /// A value that comes under the name of another one would be the data of somebody else's request. Both requests are
    /// of one operation: what is known of two operations differs in more than its name.
    @Test func valueUnderAnotherKeyIsNone() async throws {
        let server = try RedisServer()
        try await RedisStorageTests.ready(server)
        let storage = RedisStorage(try RedisClient(RedisAddress(port: server.port)))
        let origin = RedisStorageTests.Origin()
        let network = origin.intercepted(by: Self.cache(storage))
        let raw = try RawRedis(port: server.port)
        let first = try await network.send(RedisStorageTests.request(text: "first"))
        let key = try #require(try await raw.keys().first { $0.contains(":r:") })
        let second = try await network.send(RedisStorageTests.request(text: "second"))
        let other = try #require(try await raw.keys().first { $0.contains(":r:") && $0 != key })
        #expect(first.body != second.body && origin.answered == 2)
        try await raw.copy(key, to: other)
        // Another process, which has nothing in its own memory.
        let copy = RedisStorage(try RedisClient(RedisAddress(port: server.port)))
        let fresh = origin.intercepted(by: Self.cache(copy))
        #expect(try await fresh.send(RedisStorageTests.request(text: "first")).body == first.body)
        #expect(try await fresh.send(RedisStorageTests.request(text: "second")).body != first.body)
        #expect(origin.answered == 3)
        for each in [storage, copy] { await each.close() }
        await raw.close()
    }

    private static func cache(_ storage: RedisStorage) -> CachingInterceptor {
        CachingInterceptor(
            isShared: true, storage: storage,
            storageLimits: .init(deadline: .seconds(5), pause: .milliseconds(50)))
    }

    @Test func connectionIsMadeSecureAndTheServerKnown() async throws {
        let folder = try Self.certificates("own", "other")
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = (certificate: folder.path + "/own.pem", key: folder.path + "/own.key")
        let server = try RedisServer(tls: files)
        func reaches(_ host: String, _ tls: RedisTLS?) async throws -> Bool {
            try await Self.reaches(host, server.port, tls)
        }
        while try await !reaches("localhost", RedisTLS(certificates: files.certificate)) {
            try await Task.sleep(for: .milliseconds(20))
        }
        // Without TLS, of an unknown certificate, and under a name that the certificate does not have.
        #expect(try await !reaches("localhost", nil))
        #expect(try await !reaches("localhost", RedisTLS()))
        #expect(try await !reaches("localhost", RedisTLS(certificates: folder.path + "/other.pem")))
        #expect(try await !reaches("127.0.0.1", RedisTLS(certificates: files.certificate)))
        #expect(throws: (any Error).self) {
            try RedisClient(RedisAddress(tls: RedisTLS(certificates: folder.path + "/none.pem")))
        }
    }

    @Test func serverKnowsTheProcess() async throws {
        let folder = try Self.certificates("own", "client", "other")
        defer { try? FileManager.default.removeItem(at: folder) }
        func identity(_ name: String) -> RedisTLS.Identity {
            RedisTLS.Identity(certificate: "\(folder.path)/\(name).pem", key: "\(folder.path)/\(name).key")
        }
        let own = identity("own")
        let server = try RedisServer(tls: (own.certificate, own.key), clients: identity("client").certificate)
        func reaches(_ identity: RedisTLS.Identity?) async throws -> Bool {
            try await Self.reaches(
                "localhost", server.port, RedisTLS(certificates: own.certificate, identity: identity))
        }
        while try await !reaches(identity("client")) { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await !reaches(nil))
        #expect(try await !reaches(identity("other")))
    }

    private static func reaches(_ host: String, _ port: Int, _ tls: RedisTLS?) async throws -> Bool {
        let client = try RedisClient(RedisAddress(host: host, port: port, tls: tls))
        let answers = try? await client.send([RedisCommand("PING")])
        await client.close()
        return answers == [.simple("PONG")]
    }

    /// A folder with a certificate of `localhost` and its key for each name.
    private static func certificates(_ names: String...) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names {
            try run([
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(folder.path)/\(name).key", "-out",
                "\(folder.path)/\(name).pem",
            ])
        }
        return folder
    }

    private static func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
