import NIOCore
import Testing

@testable import ResponseRedis

@Suite struct RedisDecoderTests {
    static let values: [RedisValue] = [
        .simple("OK"), .error("ERR no"), .integer(-7), .bulk(nil), .bulk([]), .bulk([13, 10, 0, 255]), .array(nil),
        .array([]), .array([.bulk([1]), .array([.integer(2), .simple("x")]), .bulk(nil)]),
    ]

    static func bytes(_ value: RedisValue) -> [UInt8] {
        switch value {
        case .simple(let text): Array("+\(text)\r\n".utf8)
        case .error(let text): Array("-\(text)\r\n".utf8)
        case .integer(let number): Array(":\(number)\r\n".utf8)
        case .bulk(nil): Array("$-1\r\n".utf8)
        case .bulk(let bytes?): Array("$\(bytes.count)\r\n".utf8) + bytes + [13, 10]
        case .array(nil): Array("*-1\r\n".utf8)
        case .array(let elements?): Array("*\(elements.count)\r\n".utf8) + elements.flatMap(Self.bytes)
        }
    }

    /// Decodes a stream that comes in pieces.
    static func decode(_ pieces: [[UInt8]]) throws -> [RedisValue] {
        let decoder = RedisDecoder()
        var (buffer, values) = (ByteBuffer(), [RedisValue]())
        for piece in pieces {
            buffer.writeBytes(piece)
            while let value = try decoder.decode(buffer: &buffer) { values.append(value) }
        }
        return values
    }

    @Test(arguments: 0..<50) func aStreamMayComeInAnyPieces(_ seed: Int) throws {
        var random = SystemRandomNumberGenerator()
        let values = (0..<8).map { _ in Self.values.randomElement(using: &random) ?? .integer(0) }
        var rest = values.flatMap(Self.bytes)[...]
        var pieces: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...7, using: &random))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(try Self.decode(pieces) == values)
    }

    @Test func whatIsBeyondTheBoundsEndsTheStream() {
        for text in [
            "?", "$-2\r\n", "$99999999999\r\n", "*5000\r\n", "$3\r\nabcd\r\n", "+a\rb", ":x\r\n", ":+1\r\n", "$\r\n",
            String(repeating: "*1\r\n", count: 6), "+" + String(repeating: "a", count: 70_000),
        ] {
            #expect(throws: RedisDecoder.Malformed.self, "\(text.prefix(20))") { try Self.decode([Array(text.utf8)]) }
        }
    }

    @Test func garbageNeverTraps() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("+-:$*0123456789\r\n-aOK".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<40).map { _ in
                Bool.random(using: &random)
                    ? letters.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
            }
            _ = try? Self.decode([bytes])
            // Whole values with one byte changed.
            var damaged = Self.values.flatMap(Self.bytes)
            damaged[.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            _ = try? Self.decode([damaged])
        }
    }

    @Test func aCommandIsAnArrayOfTexts() throws {
        var buffer = ByteBuffer()
        RedisCommand([Array("SET".utf8), Array("k".utf8), [13, 10]]).write(to: &buffer)
        let decoder = RedisDecoder()
        let value = try decoder.decode(buffer: &buffer)
        #expect(value == .array([.bulk(Array("SET".utf8)), .bulk(Array("k".utf8)), .bulk([13, 10])]))
    }
}
