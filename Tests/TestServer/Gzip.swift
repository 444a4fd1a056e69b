/// Members of gzip without compression, which need no library (RFC 1952, 2.3; RFC 1951, 3.2.4).
package enum Gzip {
    /// One member with up to 65,535 bytes.
    package static func member(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let size = UInt16(clamping: bytes.count)
        let head: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1]
        return head + little(size) + little(~size) + bytes + little(checksum(bytes)) + little(UInt32(size))
    }

    private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// CRC-32 (RFC 1952, 8).
    private static func checksum(_ bytes: some Collection<UInt8>) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
