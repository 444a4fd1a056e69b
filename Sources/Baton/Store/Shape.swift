/// The storage keys of a record in the order of its values; shared by the records that were written alike.
///
/// Two records with the same shape object can be compared and read position by position.
final class Shape: Sendable {
    static let empty = Shape([])

    let keys: [StorageKeyID]

    init(_ keys: [StorageKeyID]) { self.keys = keys }

    /// The position of a key; nil if records of this shape do not have it.
    @inline(__always)
    func position(of key: StorageKeyID) -> Int? {
        var index = 0
        let count = keys.count
        while index < count {
            if keys[index] == key { return index }
            index &+= 1
        }
        return nil
    }
}
