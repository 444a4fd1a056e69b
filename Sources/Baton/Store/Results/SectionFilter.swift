/// A set of records for each shelf of a section. A set may say yes for a record that it does not have.
///
/// A record has two hashes. Each hash has a mask with one bit for each shelf that has read the record, so that two
/// loads ask all shelves. A shelf with up to 2,000 objects says yes for about one of 300 records that it has not read.
final class SectionFilter: Sendable {
    private let masks: [UInt16]
    private let bits: UInt32

    init(_ section: Section) {
        var most = 0
        for shelf in section.shelves {
            var count = 0
            shelf.forEachPair { _ in count += 1 }
            most = max(most, count)
        }
        var bits: UInt32 = 8
        while bits < 16, 1 << bits < 32 * most { bits += 1 }
        var masks = [UInt16](repeating: 0, count: 1 << Int(bits))
        for (number, shelf) in section.shelves.enumerated() {
            let mask: UInt16 = 1 << UInt16(number)
            shelf.forEachPair { pair in
                let (first, second) = Self.hashes(pair.record, bits)
                masks[first] |= mask
                masks[second] |= mask
            }
        }
        self.masks = masks
        self.bits = bits
    }

    /// Returns two numbers of `bits` bits, each of which depends on all bits of the record's number.
    @inline(__always)
    private static func hashes(_ record: RecordID, _ bits: UInt32) -> (Int, Int) {
        let hash = UInt64(record.index &+ 1) &* 0x9E37_79B9_7F4A_7C15
        return (Int(hash >> UInt64(64 - bits)), Int(hash >> UInt64(40 - bits) & (1 << UInt64(bits) - 1)))
    }

    /// Returns the shelves, one bit each, that may have read one of the records.
    func shelves(with records: [RecordID]) -> UInt16 {
        var found: UInt16 = 0
        for record in records {
            let (first, second) = Self.hashes(record, bits)
            found |= masks[first] & masks[second]
        }
        return found
    }
}
