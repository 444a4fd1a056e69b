/// Writes the bytes of stored records: numbers of varying length, texts, and identities.
package struct DiskWriter {
    package var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Writes a number, seven bits in a byte, the lowest first.
    package mutating func append(number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func append(count: Int) { append(number: UInt64(truncatingIfNeeded: max(0, count))) }

    /// Writes a number with a sign, so that small numbers are short.
    package mutating func append(signed: Int) {
        append(number: UInt64(truncatingIfNeeded: (signed << 1) ^ (signed >> (Int.bitWidth - 1))))
    }

    /// Writes eight bytes, the lowest first.
    package mutating func append(fixed: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: fixed >> UInt64(shift))) }
    }

    /// Writes a text after its length in bytes.
    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(count: utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    package mutating func append(block: some Collection<UInt8>) {
        append(count: block.count)
        bytes.append(contentsOf: block)
    }
}
