/// A body of 20 KB in gzip that is 20 MB of zeros.
enum Bomb {
    static let inflatedSize = 20_640_260

    /// The head of a gzip file and of a block. Its code for 258 repeated bytes is two zero bits, and the rest of the
    /// body consists of these.
    static let gzip: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 236, 193, 1, 1, 0, 0, 0, 128, 144, 254, 175, 238, 8, 10]
        + [UInt8](repeating: 0, count: 20_000)
}
