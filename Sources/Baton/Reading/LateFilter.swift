import Synchronization

/// A set of records that may say yes for a record that it does not have.
///
/// 2,048 bits take 256 bytes; a shelf of 64 objects with 300 records below them says yes for one of seven others.
final class RecordFilter: Sendable {
    private let bits: [UInt64]

    init(_ shelf: Shelf) {
        var bits = [UInt64](repeating: 0, count: 32)
        shelf.forEachPair { pair in
            let bit = Self.bit(pair.record)
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        self.bits = bits
    }

    private static func bit(_ record: RecordID) -> Int { Int((record.index &* 0x9E37_79B1) >> 21) }

    @inline(__always)
    func mayContain(_ record: RecordID) -> Bool {
        let bit = Self.bit(record)
        return bits[bit >> 6] & 1 << UInt64(bit & 63) != 0
    }
}

/// The filter of a shelf, which is made when it is first asked for. Most shelves are never asked.
struct LateFilter: ~Copyable, Sendable {
    private let filter = AtomicLazyReference<RecordFilter>()

    func value(of shelf: Shelf) -> RecordFilter { filter.load() ?? filter.storeIfNil(RecordFilter(shelf)) }
}
