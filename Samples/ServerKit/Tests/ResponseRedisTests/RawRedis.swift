import NIOCore
import NIOPosix

@testable import ResponseRedis

/// Reads a Redis without the storage.
struct RawRedis {
    private let client: RedisClient

    init(port: Int) {
        client = RedisClient(
            RedisAddress(port: port), group: .singletonMultiThreadedEventLoopGroup, timeout: .seconds(5))
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
