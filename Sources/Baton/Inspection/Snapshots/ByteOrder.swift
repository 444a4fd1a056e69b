/// Sorts texts by their bytes.
///
/// The texts are stored one after another in one array and are compared eight bytes at a time. Sorting the identities
/// as strings would take longer than all other work of a snapshot (benchmark `snapshot.vs-ingest`).
struct ByteOrder {
    private var bytes: [UInt8] = []
    /// The end of each text in `bytes`.
    private var ends: [Int] = []

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
    }

    /// Returns the positions of the texts in sorted order. No two texts may be equal.
    func positions() -> [Int] {
        bytes.withUnsafeBytes { bytes in
            ends.withUnsafeBufferPointer { ends in
                ends.indices.sorted { Self.precedes(bytes, Self.range($0, ends), Self.range($1, ends)) }
            }
        }
    }

    private static func range(_ index: Int, _ ends: UnsafeBufferPointer<Int>) -> Range<Int> {
        (index > 0 ? ends[index - 1] : 0)..<ends[index]
    }

    private static func precedes(_ bytes: UnsafeRawBufferPointer, _ left: Range<Int>, _ right: Range<Int>) -> Bool {
        let common = min(left.count, right.count)
        var offset = 0
        while offset &+ 8 <= common {
            let first = word(bytes, left.lowerBound &+ offset)
            let second = word(bytes, right.lowerBound &+ offset)
            if first != second { return first < second }
            offset &+= 8
        }
        while offset < common {
            let (first, second) = (bytes[left.lowerBound &+ offset], bytes[right.lowerBound &+ offset])
            if first != second { return first < second }
            offset &+= 1
        }
        return left.count < right.count
    }

    /// Returns eight bytes as a number, the first in the highest bits.
    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        precondition(offset &+ 8 <= bytes.count)
        return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
