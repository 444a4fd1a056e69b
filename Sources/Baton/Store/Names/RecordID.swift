/// The number of a data ID: the position of its record in a store.
@usableFromInline
package struct RecordID: Sendable, Hashable {
    /// The position.
    package let index: UInt32

    /// Takes a position. A position that was never given to a record stands for an unknown record.
    package init(_ index: UInt32) { self.index = index }

    /// Hashes the position. Sets and dictionaries call `_rawHashValue` instead, a public but underscored hook of the
    /// standard library. Without the hook this method would do the same at twice the cost.
    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(index) }

    /// Hashes with one multiplication instead of the standard hash. That is safe, because numbers are given in order
    /// and nobody outside can choose them. Optimistic layers spend half of their time with sets of records (benchmark
    /// `optimistic.per-record`).
    @usableFromInline
    package func _rawHashValue(seed: Int) -> Int {
        let key = UInt64(index) ^ UInt64(truncatingIfNeeded: seed) | 1 << 63
        let product = key.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }

    /// The record of the queries' root fields.
    package static let root = RecordID(0)
    /// A null in a list of links.
    package static let none = RecordID(.max)
}

/// The number of a storage key.
package struct StorageKeyID: Sendable, Hashable, Comparable {
    let index: UInt32

    /// Orders keys by the order in which they were first met, not by their texts.
    package static func < (left: StorageKeyID, right: StorageKeyID) -> Bool { left.index < right.index }
}

extension StorageKeyID {
    /// The bit of the key in `BoundPlan.Node.keyBits`.
    var bit: UInt64 { 1 << UInt64(index & 63) }
}

/// The number of the name of an object type, or of an abstract type in a condition.
package struct TypeID: Sendable, Hashable {
    let index: UInt32
}
