/// The storage keys of a record in the order of its values. Records that were written alike share their shape.
///
/// Two records with the same shape object can be compared and read position by position. The root of a large app has
/// thousands of keys, so from `hashedFrom` keys on a key is found through a table.
final class Shape: Sendable {
    static let empty = Shape([], [], number: 0)
    private static let hashedFrom = 24

    let keys: [StorageKeyID]
    /// A number that no other shape of the store has.
    let number: UInt64
    /// Positions plus one, 0 for free buckets; empty for a narrow shape. The length is a power of two, and at most half
    /// of the buckets are used.
    private let buckets: [UInt32]
    /// References that keep the keys' numbers from being given to other keys.
    private let uses: [KeyNumbers.Use]

    init(_ keys: [StorageKeyID], _ uses: [KeyNumbers.Use], number: UInt64) {
        self.keys = keys
        self.number = number
        self.uses = uses
        buckets = keys.count < Self.hashedFrom ? [] : Self.table(keys)
    }

    private static func table(_ keys: [StorageKeyID]) -> [UInt32] {
        var count = 64
        while count < keys.count * 2 { count *= 2 }
        var buckets = [UInt32](repeating: 0, count: count)
        for (position, key) in keys.enumerated() {
            var bucket = start(key) & (count - 1)
            while buckets[bucket] != 0 { bucket = (bucket + 1) & (count - 1) }
            buckets[bucket] = UInt32(truncatingIfNeeded: position + 1)
        }
        return buckets
    }

    @inline(__always)
    private static func start(_ key: StorageKeyID) -> Int {
        Int(truncatingIfNeeded: (UInt64(key.index) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }

    /// Returns the position of a key; nil if records of this shape do not have it.
    @inline(__always)
    func position(of key: StorageKeyID) -> Int? {
        var index = 0
        let count = keys.count
        if count >= Self.hashedFrom { return hashedPosition(of: key) }
        while index < count {
            if keys[index] == key { return index }
            index &+= 1
        }
        return nil
    }

    @inline(never)
    private func hashedPosition(of key: StorageKeyID) -> Int? {
        let mask = buckets.count &- 1
        var bucket = Self.start(key) & mask
        while buckets[bucket] != 0 {
            let position = Int(buckets[bucket] &- 1)
            if keys[position] == key { return position }
            bucket = (bucket &+ 1) & mask
        }
        return nil
    }
}
