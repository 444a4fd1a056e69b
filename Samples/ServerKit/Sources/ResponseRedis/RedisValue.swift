import NIOCore

/// A value of the protocol that Redis and Valkey speak (RESP2).
///
/// Reference: https://redis.io/docs/latest/develop/reference/protocol-spec/
public enum RedisValue: Sendable, Hashable {
    /// A short text, such as `OK`.
    case simple(String)
    /// An error; ``RedisClient/send(_:)`` throws it.
    case error(String)
    /// A number.
    case integer(Int)
    /// A text of any bytes; nil if a key has no value.
    case bulk([UInt8]?)
    /// Values in an order; nil if there is no list.
    case array([RedisValue]?)

    /// The bytes of a text; nil for anything else.
    public var bytes: [UInt8]? {
        if case .bulk(let bytes) = self { bytes } else { nil }
    }
}

/// Reads values from a stream of bytes. What a server may send is bounded.
struct RedisDecoder: NIOSingleStepByteToMessageDecoder {
    typealias InboundOut = RedisValue

    /// A stream that is not of this protocol, or a value beyond the bounds. Nothing after it can be read.
    struct Malformed: Error, Hashable {}

    private static let longestLine = 64 << 10
    private static let longestBulk = 64 << 20
    private static let mostElements = 4096
    private static let deepest = 4

    func decode(buffer: inout ByteBuffer) throws -> RedisValue? {
        let start = buffer.readerIndex
        if let value = try Self.value(&buffer, depth: 0) { return value }
        buffer.moveReaderIndex(to: start)
        return nil
    }

    func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> RedisValue? { try decode(buffer: &buffer) }

    /// Reads a value; nil if its end has not come.
    private static func value(_ buffer: inout ByteBuffer, depth: Int) throws -> RedisValue? {
        guard let kind = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) else { return nil }
        guard "+-:$*".utf8.contains(kind) else { throw Malformed() }
        guard let line = try line(&buffer) else { return nil }
        switch kind {
        case UInt8(ascii: "+"): return .simple(line)
        case UInt8(ascii: "-"): return .error(line)
        case UInt8(ascii: ":"): return .integer(try number(line))
        case UInt8(ascii: "$"):
            let count = try number(line)
            if count == -1 { return .bulk(nil) }
            guard (0...longestBulk).contains(count) else { throw Malformed() }
            guard buffer.readableBytes >= count + 2 else { return nil }
            guard let bytes = buffer.readBytes(length: count), buffer.readBytes(length: 2) == [0x0D, 0x0A] else {
                throw Malformed()
            }
            return .bulk(bytes)
        default:
            let count = try number(line)
            if count == -1 { return .array(nil) }
            guard (0...mostElements).contains(count), depth < deepest else { throw Malformed() }
            var elements: [RedisValue] = []
            for _ in 0..<count {
                guard let element = try value(&buffer, depth: depth + 1) else { return nil }
                elements.append(element)
            }
            return .array(elements)
        }
    }

    /// Reads a line, without its first byte and its end; nil if its end has not come.
    private static func line(_ buffer: inout ByteBuffer) throws -> String? {
        let bytes = buffer.readableBytesView
        guard let end = bytes.prefix(longestLine).firstIndex(of: 0x0D), end + 1 < bytes.endIndex else {
            if bytes.count > longestLine { throw Malformed() }
            return nil
        }
        guard bytes[end + 1] == 0x0A else { throw Malformed() }
        let text = String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
        buffer.moveReaderIndex(to: end + 2)
        return text
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), !text.hasPrefix("+") else { throw Malformed() }
        return number
    }
}

/// A command: its name and arguments, each of any bytes.
public struct RedisCommand: Sendable {
    let parts: [[UInt8]]

    /// Makes a command of texts. None of them is read as anything else.
    public init(_ parts: String...) { self.parts = parts.map { Array($0.utf8) } }
    /// Makes a command of bytes.
    public init(_ parts: [[UInt8]]) { self.parts = parts }

    func write(to buffer: inout ByteBuffer) {
        buffer.writeString("*\(parts.count)\r\n")
        for part in parts {
            buffer.writeString("$\(part.count)\r\n")
            buffer.writeBytes(part)
            buffer.writeString("\r\n")
        }
    }
}
