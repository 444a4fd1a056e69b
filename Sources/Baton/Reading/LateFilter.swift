import Synchronization

/// A set of records that may say yes for a record that it does not have.
///
/// Each record sets two of 4,096 bits, which take 512 bytes. The filter of a shelf with 400 records says yes for one of
/// thirty others.
final class RecordFilter: Sendable {
    private let bits: [UInt64]

    init(_ shelf: Shelf) {
        var bits = [UInt64](repeating: 0, count: 64)
        shelf.forEachPair { pair in
            let hash = Self.hash(pair.record)
            bits[hash >> 6 & 63] |= 1 << UInt64(hash & 63)
            bits[hash >> 18] |= 1 << UInt64(hash >> 12 & 63)
        }
        self.bits = bits
    }

    /// 24 bits that depend on all bits of the number.
    private static func hash(_ record: RecordID) -> Int { Int((record.index &* 0x9E37_79B1) >> 8) }

    @inline(__always)
    func mayContain(_ record: RecordID) -> Bool {
        let hash = Self.hash(record)
        return bits[hash >> 18] & 1 << UInt64(hash >> 12 & 63) != 0
            && bits[hash >> 6 & 63] & 1 << UInt64(hash & 63) != 0
    }
}

/// The filter of a shelf, which is made when it is first asked for. Most shelves are never asked.
struct LateFilter: ~Copyable, Sendable {
    private let filter = AtomicLazyReference<RecordFilter>()

    func value(of shelf: Shelf) -> RecordFilter { filter.load() ?? filter.storeIfNil(RecordFilter(shelf)) }
}
