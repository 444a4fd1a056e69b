import HTML
import NIOCore

/// The bytes of a whole page, ready to be sent to anybody who may see it, compressed too if asked for.
struct PageBytes: Sendable {
    /// The version of the page: the header `ETag`.
    let version: String
    private let plain: ByteBuffer
    private let compressed: ByteBuffer?
    private let checksum: UInt32
    private let end: SentOnce?

    init(_ beginning: HTML, end: SentOnce?, isCompressed: Bool) {
        // What differs each time does not count: a page that differs only in that is the same page.
        version = "W/\"\(Reply.version(of: beginning.bytes))\""
        let bytes = end == nil ? (beginning + Layout.closing).bytes : beginning.bytes
        plain = ByteBuffer(bytes: bytes)
        self.end = end
        checksum = end == nil ? 0 : Gzip.checksum(bytes)
        let small = !isCompressed ? nil : end == nil ? Gzip.compressed(bytes) : Gzip.begun(bytes)
        compressed = small.map { ByteBuffer(bytes: $0) }
    }

    /// The memory that the page takes, in bytes.
    var size: Int { plain.readableBytes + (compressed?.readableBytes ?? 0) }

    /// The bytes as they are sent, and whether they are compressed.
    func body(isCompressed: Bool) -> (bytes: ByteBuffer, isCompressed: Bool) {
        let start = isCompressed ? compressed : nil
        guard let end else { return (start ?? plain, start != nil) }
        let rest = (end.make() + Layout.closing).bytes
        guard var start else {
            var bytes = ByteBufferAllocator().buffer(capacity: plain.readableBytes + rest.count)
            bytes.writeImmutableBuffer(plain)
            bytes.writeBytes(rest)
            return (bytes, false)
        }
        start.writeBytes(Gzip.end(rest, after: plain.readableBytes, checksum))
        return (start, true)
    }
}
