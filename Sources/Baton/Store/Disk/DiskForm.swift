/// The type and the storage keys of stored records that were written alike.
struct DiskForm: Sendable, Hashable {
    let type: String
    let keys: [String]

    /// A form with more keys, or with arguments in a key, stands in the record itself: there may be any number of such.
    private static let mostShared = 64

    var isShared: Bool { keys.count <= Self.mostShared && !keys.contains { $0.utf8.contains(UInt8(ascii: "(")) } }

    var bytes: [UInt8] {
        var writer = DiskWriter()
        writer.append(text: type)
        writer.append(count: keys.count)
        for key in keys { writer.append(text: key) }
        return writer.bytes
    }

    /// The number of a form in every process: the FNV-1a hash of its bytes.
    static func number(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    init(type: String, keys: [String]) {
        self.type = type
        self.keys = keys
    }

    /// Reads a form; nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        var reader = DiskReader(bytes)
        guard let type = reader.text(), let count = reader.count() else { return nil }
        var keys: [String] = []
        var known: Set<ExactText> = []
        for _ in 0..<count {
            guard let key = reader.text(), known.insert(ExactText(key)).inserted else { return nil }
            keys.append(key)
        }
        guard reader.isAtEnd else { return nil }
        self.init(type: type, keys: keys)
    }
}
