import NIOCore
import NIOPosix

@testable import ResponseRedis

/// Reads a Redis without the storage.
struct RawRedis {
    private let client: RedisClient

    init(port: Int) throws { client = try RedisClient(RedisAddress(port: port), timeout: .seconds(5)) }

    /// Puts the value of one key under another one too.
    func copy(_ from: String, to other: String) async throws {
        _ = try await client.send([RedisCommand("COPY", from, other, "REPLACE")])
    }

    /// All keys.
    func keys() async throws -> [String] {
        guard case .array(let keys?)? = try await client.send([RedisCommand("KEYS", "*")]).first else { return [] }
        return keys.compactMap(\.bytes).map { String(decoding: $0, as: UTF8.self) }
    }

    func close() async { await client.close() }

    /// All keys and values, as one text.
    func everything() async throws -> String {
        guard case .array(let keys?)? = try await client.send([RedisCommand("KEYS", "*")]).first else { return "" }
        var texts: [String] = []
        for key in keys.compactMap(\.bytes) {
            let value = try await client.send([RedisCommand([Array("GET".utf8), key])]).first?.bytes ?? []
            texts.append(String(decoding: key, as: UTF8.self) + " " + String(decoding: value, as: UTF8.self))
        }
        return texts.joined(separator: "\n")
    }
}
