/// The storage keys of a record in the order of its values. Records that were written alike share their shape.
///
/// Two records with the same shape object can be compared and read position by position. The root of a large app has
/// thousands of keys. So a shape of at least `hashedFrom` keys finds a key through a table, and a shape of at least
/// `growingFrom` keys shares its keys with the shapes that continue it.
final class Shape: Sendable {
    static let empty = Shape([], [], number: 0, owner: ObjectIdentifier(Shape.self))
    private static let hashedFrom = 24
    static let growingFrom = 256

    /// The number of keys.
    let count: Int
    /// A number that no other shape of the store has.
    let number: UInt64
    /// The keys of a shape that does not share them.
    private let fixed: [StorageKeyID]
    /// Positions plus one, 0 for free buckets; empty for a narrow shape. The length is a power of two, and at most half
    /// of the buckets are used.
    private let buckets: [UInt32]
    /// References that keep the keys' numbers from being given to other keys.
    private let uses: [KeyNumbers.Use]
    private let growing: GrowingKeys?

    /// Makes a shape for the store with a table of names.
    init(_ keys: [StorageKeyID], _ uses: [KeyNumbers.Use], number: UInt64, owner: ObjectIdentifier) {
        count = keys.count
        self.number = number
        if keys.count >= Self.growingFrom {
            growing = GrowingKeys(keys, uses, owner: owner)
            (fixed, buckets, self.uses) = ([], [], [])
        } else {
            growing = nil
            fixed = keys
            self.uses = uses
            buckets = keys.count < Self.hashedFrom ? [] : Self.table(keys)
        }
    }

    private init(_ growing: GrowingKeys, count: Int, number: UInt64) {
        self.count = count
        self.number = number
        self.growing = growing
        (fixed, buckets, uses) = ([], [], [])
    }

    /// The keys. Takes time linear in their number if the shape shares them.
    var keys: [StorageKeyID] { growing?.prefix(count) ?? fixed }

    /// Returns the key at a position, which must be below `count`. Takes constant time.
    func key(at position: Int) -> StorageKeyID { growing?.key(at: position) ?? fixed[position] }

    /// Returns a shape with further keys, which shares the keys of this shape; nil if the keys cannot be shared.
    func extended(
        by added: [StorageKeyID], _ uses: [KeyNumbers.Use], number: UInt64, owner: ObjectIdentifier
    ) -> Shape? {
        guard let growing, growing.append(added, uses, after: count, owner: owner) else { return nil }
        return Shape(growing, count: count + added.count, number: number)
    }

    /// Returns the position of a key; nil if records of this shape do not have it.
    @inline(__always)
    func position(of key: StorageKeyID) -> Int? {
        var index = 0
        let count = count
        if count >= Self.hashedFrom { return hashedPosition(of: key) }
        while index < count {
            if fixed[index] == key { return index }
            index &+= 1
        }
        return nil
    }

    @inline(never)
    private func hashedPosition(of key: StorageKeyID) -> Int? {
        if let growing { return growing.position(of: key, below: count) }
        return Self.position(of: key, in: buckets, fixed)
    }

    // MARK: - Tables

    /// A table of the positions of keys.
    static func table(_ keys: [StorageKeyID]) -> [UInt32] {
        var count = 64
        while count < keys.count * 2 { count *= 2 }
        var buckets = [UInt32](repeating: 0, count: count)
        for position in keys.indices { enter(position, of: keys, in: &buckets) }
        return buckets
    }

    /// Enters the position of a key into a table, which must have room.
    static func enter(_ position: Int, of keys: [StorageKeyID], in buckets: inout [UInt32]) {
        let mask = buckets.count - 1
        var bucket = start(keys[position]) & mask
        while buckets[bucket] != 0 { bucket = (bucket + 1) & mask }
        buckets[bucket] = UInt32(truncatingIfNeeded: position + 1)
    }

    static func position(of key: StorageKeyID, in buckets: [UInt32], _ keys: [StorageKeyID]) -> Int? {
        let mask = buckets.count &- 1
        var bucket = start(key) & mask
        while buckets[bucket] != 0 {
            let position = Int(buckets[bucket] &- 1)
            if keys[position] == key { return position }
            bucket = (bucket &+ 1) & mask
        }
        return nil
    }

    @inline(__always)
    private static func start(_ key: StorageKeyID) -> Int {
        Int(truncatingIfNeeded: (UInt64(key.index) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}
