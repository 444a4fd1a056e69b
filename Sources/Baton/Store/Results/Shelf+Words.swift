extension Shelf {
    /// The word of a leaf that has no value, although its row has one.
    static var noLeaf: UInt32 { 1 }
    /// The word of a leaf whose value is the first converted one of its shelf; those after it have the next words.
    static var firstConverted: UInt32 { 2 }
    /// The word of a place at which errors were caught as null.
    static var caughtAsNull: UInt32 { .max }
}
