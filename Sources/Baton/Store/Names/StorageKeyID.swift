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
