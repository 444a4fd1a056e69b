/// What the allocator and the standard library add.
enum Heap {
    /// Of an array, and of a text on the heap.
    static let arrayHeader = 32
    /// The object of a block and what the store keeps of it.
    static let block = 160
    /// A converted scalar, and the box of its value.
    static let scalar = 128
    /// An entry of a dictionary of numbers: dictionaries are filled to three quarters at most.
    static let entry = 16

    /// Steps of 16 bytes, 8 of each for the allocator.
    static func rounded(_ bytes: Int) -> Int { (bytes + 8 + 15) / 16 * 16 }
}
