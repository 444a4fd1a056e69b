/// A data ID, interned: the position of its record in a store.
@usableFromInline
package struct RecordID: Sendable, Hashable {
    /// The position.
    package let index: UInt32

    /// Takes the position as it is; one that was never given out is a record that does not exist.
    package init(_ index: UInt32) { self.index = index }

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
