/// Estimates of the memory that the allocator and the standard library add, in bytes.
enum Heap {
    /// The header of an array, or of a text on the heap.
    static let arrayHeader = 32
    /// The object of a block, and the store's entries for it.
    static let block = 160
    /// A converted scalar, and the box of its value.
    static let scalar = 128
    /// An entry of a dictionary from numbers to numbers; dictionaries are at most three quarters full.
    static let entry = 16

    /// Rounds up to the allocator's steps of 16 bytes, including its header of 8 bytes.
    static func rounded(_ bytes: Int) -> Int { (bytes + 8 + 15) / 16 * 16 }
}
