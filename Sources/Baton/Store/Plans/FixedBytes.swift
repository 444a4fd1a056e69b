/// Bytes at a fixed address; they never change.
final class FixedBytes: @unchecked Sendable {
    /// The bytes; valid as long as this object lives.
    let view: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        copy.copyBytes(from: bytes)
        view = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
    }

    deinit { view.deallocate() }
}
