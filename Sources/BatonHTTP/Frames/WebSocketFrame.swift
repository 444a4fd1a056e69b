/// The frames in which WebSocket messages travel (RFC 6455, 5.2).
package enum WebSocketFrame {
    package enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        /// Whether such frames may stand between the fragments of a message.
        var isControl: Bool { rawValue >= 8 }
    }

    /// The greatest payload of a control frame.
    static let largestControl = 125

    /// One frame as bytes; with a mask if a client sends it.
    package static func bytes(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, mask: UInt32?) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(payload.count + 14)
        frame.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: frame.append(maskBit | UInt8(payload.count))
        case ...0xFFFF:
            frame.append(maskBit | 126)
            frame += bigEndian(UInt16(payload.count))
        default:
            frame.append(maskBit | 127)
            frame += bigEndian(UInt64(payload.count))
        }
        guard let mask else { return frame + payload }
        frame += bigEndian(mask)
        let start = frame.count
        frame += payload
        apply(mask, to: &frame, from: start)
        return frame
    }

    /// A close frame. A code that none may carry is left out, and a reason is cut to what there is room for.
    package static func close(_ code: Int, _ reason: String, mask: UInt32?) -> [UInt8] {
        guard maySend(code) else { return bytes(.close, [], mask: mask) }
        var reason = Substring(reason)
        while reason.utf8.count > largestControl - 2 { reason = reason.dropLast() }
        return bytes(.close, bigEndian(UInt16(code)) + reason.utf8, mask: mask)
    }

    /// Whether a close frame may carry a code (RFC 6455, 7.4, and the registry of IANA).
    static func maySend(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Combines bytes with a mask whose first byte belongs to the first of them.
    static func apply(_ mask: UInt32, to bytes: inout [UInt8], from start: Int) {
        let word = UInt64(mask) << 32 | UInt64(mask)
        bytes.withUnsafeMutableBytes { bytes in
            var index = start
            while index + 8 <= bytes.count {
                let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word.bigEndian
                bytes.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < bytes.count {
                bytes[index] ^= UInt8(truncatingIfNeeded: mask >> UInt32(24 - (index - start) % 4 * 8))
                index += 1
            }
        }
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
