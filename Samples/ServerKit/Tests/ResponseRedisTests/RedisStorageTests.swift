import Baton
import BatonHTTP
import Foundation
import NIOCore
import ResponseRedis
import Synchronization
import Testing

/// Several caches over one Redis. Each test has a server of its own.
@Suite struct RedisStorageTests {
    /// A GraphQL server that numbers its answers.
    final class Origin: NetworkLayer {
        let fields: [String: String]
        let count = Mutex(0)

        init(_ fields: [String: String] = ["cache-control": "public, max-age=60"]) { self.fields = fields }

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            // A slow server makes other processes wait.
            if request.operationName == "Slow" { try await Task.sleep(for: .milliseconds(200)) }
            return NetworkResponse(body: Array("{\"data\":\(number)}".utf8), metadata: fields)
        }

        var answered: Int { count.withLock(\.self) }
    }

    static func request(
        _ name: String = "Film", kind: OperationKind = .query, text: String = "planted", headers: [String: String] = [:]
    ) -> NetworkRequest {
        NetworkRequest(
            id: 1, operationName: name, kind: kind, text: "query \(name) { planted }",
            variables: [.init("text", .string(text))], configuration: RequestConfiguration(headers: headers))
    }

    let server: RedisServer
    let origin = Origin()

    init() async throws {
        server = try RedisServer()
        try await Self.ready(server)
    }

    /// Waits until a server answers.
    static func ready(_ server: RedisServer) async throws {
        while true {
            let storage = RedisStorage(try RedisClient(RedisAddress(port: server.port)))
            let isReady = await storage.isReachable()
            await storage.close()
            if isReady { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func process(
        _ origin: Origin? = nil, deadline: Duration = .seconds(5), pause: Duration = .milliseconds(50)
    ) throws -> (network: any NetworkLayer, cache: CachingInterceptor, storage: RedisStorage) {
        let storage = RedisStorage(try RedisClient(RedisAddress(port: server.port)))
        let cache = CachingInterceptor(
            isShared: true, storage: storage, storageLimits: .init(deadline: deadline, pause: pause),
            tags: { _ in ["planted tag"] })
        return ((origin ?? self.origin).intercepted(by: cache), cache, storage)
    }

    func text(
        _ process: (network: any NetworkLayer, cache: CachingInterceptor, storage: RedisStorage),
        _ request: NetworkRequest
    )
        async throws -> String
    {
        String(decoding: try await process.network.send(request).body, as: UTF8.self)
    }

    @Test func processesShareResponsesAndInvalidations() async throws {
        let (first, second) = (try process(), try process())
        #expect(try await text(first, Self.request()) == #"{"data":1}"#)
        #expect(try await text(second, Self.request()) == #"{"data":1}"#)
        _ = try await text(first, Self.request(kind: .mutation))
        #expect(try await text(second, Self.request()) == #"{"data":3}"#)
        #expect(try await text(first, Self.request()) == #"{"data":3}"#)
        await second.cache.invalidate(["planted tag"])
        #expect(try await text(first, Self.request()) == #"{"data":4}"#)
    }

    @Test func variantsStandBesideEachOther() async throws {
        let origin = Origin(["cache-control": "public, max-age=60", "vary": "Accept-Language"])
        let (first, second) = (try process(origin), try process(origin))
        for (process, language, expected) in [
            (first, "de", 1), (first, "en", 2), (second, "de", 1), (second, "en", 2),
        ] {
            let request = Self.request(headers: ["Accept-Language": language])
            #expect(try await text(process, request) == "{\"data\":\(expected)}")
        }
    }

    @Test func oneProcessAsksForAll() async throws {
        let processes = try (0..<4).map { _ in try process() }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for process in processes {
                for _ in 0..<10 { group.addTask { try await text(process, Self.request("Slow")) } }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts == [#"{"data":1}"#] && origin.answered == 1)
    }

    /// The server is killed while pages are served, and started again, empty.
    @Test func aServerThatDiesIsNoError() async throws {
        let processes = [try process(), try process()]
        for process in processes { _ = try await text(process, Self.request()) }
        server.stop()
        for process in processes {
            for _ in 0..<20 { #expect(try await text(process, Self.request()) == #"{"data":1}"#) }
            _ = try await text(process, Self.request("Other"))
        }
        #expect(origin.answered == 3)
        try server.start()
        for process in processes {
            while await !process.storage.isReachable() { try await Task.sleep(for: .milliseconds(20)) }
        }
        try await Task.sleep(for: .milliseconds(100))
        for _ in 0..<20 { for process in processes { _ = try await text(process, Self.request()) } }
        // The empty server knows no version, so that one process asks again for all.
        #expect(origin.answered == 4)
    }

    @Test func nothingOfAVisitorIsInRedis() async throws {
        let process = try process(
            Origin(["cache-control": "public, max-age=60", "x-visitor": "planted", "vary": "X-Device"]))
        _ = try await text(process, Self.request(headers: ["X-Device": "planted"]))
        _ = try await text(process, Self.request("Private", headers: ["Authorization": "planted"]))
        let client = try RawRedis(port: server.port)
        let all = try await client.everything()
        #expect(all.contains("baton:r:") && all.contains("data"))
        #expect(!all.contains("planted"))
        await client.close()
    }

    @Test func aServerThatSpeaksAnotherLanguageIsNoError() async throws {
        let storage = RedisStorage(try RedisClient(RedisAddress(port: server.port, password: "wrong")))
        let network = origin.intercepted(by: CachingInterceptor(isShared: true, storage: storage))
        _ = try await network.send(Self.request())
        _ = try await network.send(Self.request())
        #expect(origin.answered == 1)
    }
}

extension RedisStorageTests {
    /// Views of 20 films by two processes. Redis is killed after a third of them and started after two thirds.
    ///
    /// `BATON_VIEWS=10000` makes more views than the 600 that each run makes.
    @Test(arguments: [true, false]) func viewsAskTheServerOncePerFilmAndLoss(_ isShared: Bool) async throws {
        let views = ProcessInfo.processInfo.environment["BATON_VIEWS"].flatMap { Int($0) } ?? 600
        let processes = try (0..<2).map { _ in try process(deadline: .seconds(1)) }
        // Without the storage each process asks for itself.
        let alone = (0..<2).map { _ in origin.intercepted(by: CachingInterceptor(isShared: true)) as any NetworkLayer }
        for view in 0..<views {
            if isShared, view == views / 3 {
                #expect(origin.answered == 20)
                server.stop()
            }
            if isShared, view == views * 2 / 3 {
                try server.start()
                for process in processes {
                    while await !process.storage.isReachable() { try await Task.sleep(for: .milliseconds(20)) }
                }
                try await Task.sleep(for: .milliseconds(100))
            }
            let network = isShared ? processes[view % 2].network : alone[view % 2]
            _ = try await network.send(Self.request("Film\(view / 2 % 20)"))
        }
        // With it one process asks for each film, and once more after Redis has come back empty.
        #expect(origin.answered == 40)
        print("\(views) views, \(isShared ? "shared" : "alone"): \(origin.answered) requests to the server")
    }
}
