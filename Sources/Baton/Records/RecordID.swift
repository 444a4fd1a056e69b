/// A data ID, interned: the position of its record in a store.
@usableFromInline
package struct RecordID: Sendable, Hashable {
    /// The position.
    package let index: UInt32

    /// Takes the position as it is; one that was never given out is a record that does not exist.
    package init(_ index: UInt32) { self.index = index }

    /// Takes the position. Sets and dictionaries ask `_rawHashValue` instead: a hook of the standard library that is
    /// public and underscored, without which this would serve as well, at twice the cost.
    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(index) }

    /// One multiplication instead of the standard hash: numbers are given out in order and chosen by nobody outside,
    /// and sets of them are what optimistic layers spend half of their time with (benchmark `optimistic.per-record`).
    @usableFromInline
    package func _rawHashValue(seed: Int) -> Int {
        let key = UInt64(index) ^ UInt64(truncatingIfNeeded: seed) | 1 << 63
        let product = key.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }

    /// The record of the queries' root fields.
    package static let root = RecordID(0)
    /// A null among links.
    package static let none = RecordID(.max)
}

/// A storage key, interned.
package struct StorageKeyID: Sendable, Hashable, Comparable {
    let index: UInt32

    /// In the order in which keys were first met; says nothing of their texts.
    package static func < (left: StorageKeyID, right: StorageKeyID) -> Bool { left.index < right.index }
}

/// The name of an object type, or of an abstract type in a condition, interned.
package struct TypeID: Sendable, Hashable {
    let index: UInt32
}

/// Counts the publishes and invalidations of a store; grows with every one of them.
package typealias Epoch = UInt64

extension StorageKeyID {
    /// Its bit in `BoundPlan.Node.keyBits`.
    var bit: UInt64 { 1 << UInt64(index & 63) }
}
