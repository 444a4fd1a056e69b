import Deflate

/// Compresses the parts of one body; each part can be read as soon as it has arrived.
final class Gzip {
    private var stream = z_stream()

    /// Nil if there is no memory.
    init?() {
        guard deflate_begin_gzip(&stream) == Z_OK else { return nil }
    }

    deinit { deflateEnd(&stream) }

    func compress(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                let written = buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
                    return buffer.count - Int(stream.avail_out)
                }
                output += buffer[..<written]
            } while stream.avail_out == 0
        }
        return output
    }

    /// The beginning of a body, to which ``end(_:after:_:)`` is added; nil if it cannot be compressed.
    static func begun(_ bytes: [UInt8]) -> [UInt8]? { Gzip()?.compress(bytes, isLast: false) }

    /// The checksum of these bytes (RFC 1952, section 2.3.1), to which that of others may be added.
    static func checksum(_ bytes: [UInt8], after checksum: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: crc32(UInt(checksum), bytes.baseAddress, UInt32(bytes.count)))
        }
    }

    /// The end of a body whose beginning was compressed before. It is short, and stands there as it is (RFC 1951,
    /// section 3.2.4).
    static func end(_ bytes: [UInt8], after count: Int, _ checksum: UInt32) -> [UInt8] {
        func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
            (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var output: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            output += [rest.isEmpty ? 1 : 0] + littleEndian(length) + littleEndian(~length) + block
        } while !rest.isEmpty
        output += littleEndian(Self.checksum(bytes, after: checksum))
        return output + littleEndian(UInt32(truncatingIfNeeded: count + bytes.count))
    }

    /// A whole body; nil if it cannot be compressed.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? { Gzip()?.compress(bytes, isLast: true) }
}
