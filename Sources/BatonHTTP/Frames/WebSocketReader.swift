/// Reads frames into messages: bytes in, events out (RFC 6455).
///
/// The pieces may be cut anywhere. A message is told when its last fragment is there, and a control frame at once, also
/// between fragments. After a close frame or a breach nothing more is read.
package struct WebSocketReader {
    /// What has arrived.
    package enum Event: Equatable {
        case text([UInt8])
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        /// 1005 is a close without a code.
        case close(code: Int, reason: String)
    }

    /// What the other side must not do, and the code to close with.
    package struct Breach: Error, Equatable {
        package let code: Int
        package let what: String

        static func frame(_ what: String) -> Breach { Breach(code: 1002, what: what) }
        static let notUTF8 = Breach(code: 1007, what: "its text is not UTF-8")
        static let tooLarge = Breach(code: 1009, what: "it is too large")
    }

    private struct Header {
        let opcode: WebSocketFrame.Opcode
        let isFinal: Bool
        let mask: UInt32?
        /// Where the payload begins and ends, from the beginning of the frame.
        let payload: Range<Int>
    }

    /// The message whose last fragment has not come.
    private struct Message {
        let isText: Bool
        var bytes: [UInt8] = []
        var check = UTF8Check()
    }

    private let maximumMessageSize: Int
    private let expectsMasks: Bool
    /// What was not read yet begins at `position`.
    private var bytes: [UInt8] = []
    private var position = 0
    private var message: Message?
    /// True after a close frame or a breach.
    package private(set) var isOver = false

    /// - Parameters:
    ///   - maximumMessageSize: A longer message is a breach.
    ///   - expectsMasks: True for frames of a client, whose payloads must be masked; others must not be.
    package init(maximumMessageSize: Int, expectsMasks: Bool = false) {
        // No machine has room for more, and sums of lengths stay numbers.
        self.maximumMessageSize = min(max(maximumMessageSize, 0), 1 << 48)
        self.expectsMasks = expectsMasks
    }

    /// Adds bytes behind those that were added before.
    package mutating func append(_ more: some Collection<UInt8>) {
        guard !isOver else { return }
        if position > 0 {
            bytes.removeSubrange(..<position)
            position = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next event; nil if its bytes are not all there, or if nothing more comes.
    package mutating func next() throws(Breach) -> Event? {
        while !isOver {
            do {
                guard let header = try header(), header.payload.upperBound <= bytes.count - position else { return nil }
                let start = position + header.payload.lowerBound
                position += header.payload.upperBound
                var payload = Array(bytes[start..<position])
                if let mask = header.mask { WebSocketFrame.apply(mask, to: &payload, from: 0) }
                if let event = try event(header, payload) { return event }
            } catch {
                stop()
                throw error
            }
        }
        return nil
    }

    private mutating func stop() {
        isOver = true
        (bytes, position, message) = ([], 0, nil)
    }

    // MARK: - Headers

    /// The header of the next frame; nil if it is not all there.
    private func header() throws(Breach) -> Header? {
        let rest = bytes[position...]
        guard rest.count >= 2 else { return nil }
        let (first, second) = (rest[position], rest[position + 1])
        guard first & 0x70 == 0 else { throw .frame("it has a bit set that is reserved") }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
            throw .frame("it has an unknown opcode")
        }
        let isFinal = first & 0x80 != 0
        guard (second & 0x80 != 0) == expectsMasks else {
            throw .frame(expectsMasks ? "it is not masked" : "it is masked")
        }
        guard let (length, lengthEnd) = try length(second & 0x7F, rest) else { return nil }
        if opcode.isControl {
            guard isFinal, length <= WebSocketFrame.largestControl else {
                throw .frame("it is a control frame that is cut or too long")
            }
        } else {
            guard (opcode == .continuation) == (message != nil) else {
                throw .frame("it mixes the fragments of messages")
            }
            guard length <= maximumMessageSize - (message?.bytes.count ?? 0) else { throw .tooLarge }
        }
        let start = lengthEnd + (expectsMasks ? 4 : 0)
        guard rest.count >= start else { return nil }
        let mask = rest.dropFirst(lengthEnd).prefix(start - lengthEnd).reduce(0) { $0 << 8 | UInt32($1) }
        return Header(
            opcode: opcode, isFinal: isFinal, mask: expectsMasks ? mask : nil, payload: start..<start + length)
    }

    /// The length of a payload, and where its bytes end in the frame; nil if they are not all there.
    private func length(_ short: UInt8, _ frame: ArraySlice<UInt8>) throws(Breach) -> (Int, end: Int)? {
        guard short >= 126 else { return (Int(short), 2) }
        let count = short == 126 ? 2 : 8
        guard frame.count >= 2 + count else { return nil }
        let length = frame.dropFirst(2).prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(Int64.max) else { throw .frame("its length has the highest bit set") }
        guard length >= (short == 126 ? 126 : 0x1_0000) else { throw .frame("its length has more bytes than it needs") }
        return (Int(length), 2 + count)
    }

    // MARK: - Payloads

    private mutating func event(_ header: Header, _ payload: [UInt8]) throws(Breach) -> Event? {
        switch header.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        case .close:
            let event = try Self.close(payload)
            stop()
            return event
        case .text, .binary, .continuation:
            var message = self.message ?? Message(isText: header.opcode == .text)
            self.message = nil
            if message.isText {
                guard message.check.take(payload), !header.isFinal || message.check.isComplete else { throw .notUTF8 }
            }
            if message.bytes.isEmpty { message.bytes = payload } else { message.bytes += payload }
            if header.isFinal { return message.isText ? .text(message.bytes) : .binary(message.bytes) }
            self.message = message
            return nil
        }
    }

    private static func close(_ payload: [UInt8]) throws(Breach) -> Event {
        guard !payload.isEmpty else { return .close(code: 1005, reason: "") }
        guard payload.count >= 2 else { throw .frame("it closes with half a code") }
        let code = Int(payload[0]) << 8 | Int(payload[1])
        guard WebSocketFrame.maySend(code) else { throw .frame("it closes with a code that none may send") }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .notUTF8 }
        return .close(code: code, reason: reason)
    }
}
