/// Reads the bytes that ``DiskWriter`` has written. Every method returns nil where the bytes are not as they must be,
/// because a file may be damaged.
package struct DiskReader {
    private let bytes: [UInt8]
    package private(set) var position: Int

    package init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    package var isAtEnd: Bool { position >= bytes.count }

    package mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func number() -> UInt64? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, let byte = byte() {
            // The tenth byte has room for one bit.
            if shift == 63, byte > 1 { return nil }
            result |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return result }
            shift += 7
        }
        return nil
    }

    /// Reads a number of things, each of which takes at least `size` bytes.
    package mutating func count(ofSize size: Int = 1) -> Int? {
        guard let number = number(), number <= UInt64((bytes.count - position) / max(1, size)) else { return nil }
        return Int(number)
    }

    package mutating func signed() -> Int? {
        number().map { Int(truncatingIfNeeded: $0 >> 1) ^ -Int(truncatingIfNeeded: $0 & 1) }
    }

    package mutating func fixed() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        defer { position += 8 }
        return (0..<8).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64(8 * $1) }
    }

    /// Reads bytes after their number.
    package mutating func block() -> ArraySlice<UInt8>? {
        guard let count = count() else { return nil }
        return take(count)
    }

    package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    package mutating func text() -> String? { block().flatMap { String(validating: $0, as: UTF8.self) } }

    package func slice(from start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }
}
