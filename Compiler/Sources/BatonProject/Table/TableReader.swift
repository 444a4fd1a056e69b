import BatonCompiler

/// Reads what `TableWriter` wrote. Bytes that it did not write end in an error, never in a trap.
struct TableReader {
    struct Damage: Error {}

    private let bytes: [UInt8]
    private var position: Int
    private var known: [String] = []

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number() throws(Damage) -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let byte = try byte()
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        throw Damage()
    }

    mutating func signed() throws(Damage) -> Int64 { Int64(bitPattern: try number()) }

    mutating func small() throws(Damage) -> UInt32 {
        guard let result = UInt32(exactly: try number()) else { throw Damage() }
        return result
    }

    mutating func flag() throws(Damage) -> Bool { try byte() != 0 }

    mutating func hash() throws(Damage) -> UInt64 {
        guard bytes.count - position >= 8 else { throw Damage() }
        defer { position += 8 }
        return bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }

    mutating func text() throws(Damage) -> String {
        let number = try number()
        if number > 0 {
            guard number <= UInt64(known.count) else { throw Damage() }
            return known[Int(number) - 1]
        }
        let count = try count()
        let text = String(decoding: bytes[position..<position + count], as: UTF8.self)
        position += count
        known.append(text)
        return text
    }

    mutating func path() throws(Damage) -> AbsolutePath { AbsolutePath(absolute: try text()) }

    mutating func list<Element>(
        _ each: (inout TableReader) throws(Damage) -> Element
    ) throws(Damage) -> [Element] {
        // Each element has at least one byte, so the count is bounded by what is left.
        let count = try count()
        var result: [Element] = []
        result.reserveCapacity(count)
        for _ in 0..<count { result.append(try each(&self)) }
        return result
    }

    mutating func texts() throws(Damage) -> [String] { try list { (reader) throws(Damage) in try reader.text() } }

    mutating func optional<Element>(
        _ present: (inout TableReader) throws(Damage) -> Element
    ) throws(Damage) -> Element? {
        try flag() ? try present(&self) : nil
    }

    private mutating func byte() throws(Damage) -> UInt8 {
        guard position < bytes.count else { throw Damage() }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func count() throws(Damage) -> Int {
        let number = try number()
        guard number <= UInt64(bytes.count - position) else { throw Damage() }
        return Int(number)
    }
}
