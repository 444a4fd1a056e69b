/// The name of a tag or an attribute in a template, without regard to case. It is kept as a number of 64 bits (FNV-1a):
/// only literals of the program have names, and none is made to be taken for another.
struct MarkupName: Hashable, ExpressibleByStringLiteral {
    private var hash: UInt64 = 14_695_981_039_346_656_037
    /// The first two bytes.
    private var beginning: UInt16 = 0
    private var count = 0

    init() {}

    init(stringLiteral value: StaticString) {
        value.withUTF8Buffer { for byte in $0 { add(byte) } }
    }

    var isEmpty: Bool { count == 0 }
    /// True for `/name`.
    var isEndTag: Bool { count == 1 && beginning == 0x2F || count > 1 && beginning >> 8 == 0x2F }
    /// True for `onclick` and its like.
    var isHandler: Bool { count > 1 && beginning == 0x6F6E }

    mutating func add(_ byte: UInt8) {
        let byte = Self.lowercased(byte)
        if count < 2 { beginning = beginning << 8 | UInt16(byte) }
        count += 1
        hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
