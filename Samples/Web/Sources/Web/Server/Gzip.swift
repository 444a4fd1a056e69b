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

    /// A whole body; nil if it cannot be compressed.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? { Gzip()?.compress(bytes, isLast: true) }
}
