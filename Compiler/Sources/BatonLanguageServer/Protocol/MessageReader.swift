import BatonCompiler

/// Cuts the bytes of a stream into messages. A message has headers, an empty line, and the number of bytes that a
/// header names.
///
///     Content-Length: 52\r\n
///     \r\n
///     {"jsonrpc":"2.0","id":1,"method":"shutdown"}
///
/// The reader skips bytes that are no message up to the next header, and reports them once.
package struct MessageReader: Sendable {
    /// A piece of the stream.
    package enum Event: Hashable, Sendable {
        case message([UInt8])
        /// Bytes that are no message, or a message that is too long.
        case mistake(String)
    }

    /// The largest number of bytes of a message. No document is as large as that.
    package static let lengthLimit = 256 << 20
    private static let headerLimit = 8192

    private var buffer: [UInt8] = []
    /// The number of bytes at the beginning of the buffer that belong to earlier events.
    private var taken = 0
    /// The length of the message whose headers were read last; nil before the next headers.
    private var length: Int?
    /// The number of bytes that are still to come of a message that is too long.
    private var skipped = 0
    /// Whether bytes without a header were reported, and are skipped until one comes.
    private var isLost = false

    package init() {}

    /// Adds bytes of the stream, and returns the events that are complete.
    package mutating func take(_ bytes: some Collection<UInt8>) -> [Event] {
        buffer += bytes
        var events: [Event] = []
        while let event = next() { if let event = event.value { events.append(event) } }
        buffer.removeFirst(taken)
        taken = 0
        return events
    }

    private struct Step { var value: Event? }

    /// Takes the next piece from the buffer; nil if more bytes are needed.
    private mutating func next() -> Step? {
        if skipped > 0 {
            let count = min(skipped, buffer.count - taken)
            taken += count
            skipped -= count
            return skipped > 0 ? nil : Step()
        }
        if let length {
            guard buffer.count - taken >= length else { return nil }
            let message = Array(buffer[taken..<(taken + length)])
            taken += length
            self.length = nil
            return Step(value: .message(message))
        }
        guard let end = endOfHeaders() else {
            guard buffer.count - taken > Self.headerLimit else { return nil }
            // A header may begin in the last bytes.
            taken = buffer.count - 32
            defer { isLost = true }
            return Step(value: isLost ? nil : .mistake("a message has no header"))
        }
        let headers = buffer[taken..<end]
        taken = end
        guard let length = Self.contentLength(of: headers) else {
            defer { isLost = true }
            return Step(value: isLost ? nil : .mistake("a message has no 'Content-Length'"))
        }
        isLost = false
        guard length <= Self.lengthLimit else {
            skipped = length
            return Step(value: .mistake("a message is longer than \(Self.lengthLimit >> 20) MB"))
        }
        self.length = length
        return Step()
    }

    /// The position behind the empty line.
    private func endOfHeaders() -> Int? {
        var index = taken
        let last = min(buffer.count, taken + Self.headerLimit)
        while index < last {
            guard let newline = buffer[index..<last].firstIndex(of: 0x0A) else { return nil }
            let line = buffer[index..<newline]
            if line.isEmpty || line.elementsEqual([0x0D]), index > taken { return newline + 1 }
            index = newline + 1
        }
        return nil
    }

    /// The length in the last `Content-Length` header; nil if there is none or if it has no length. Bytes that are no
    /// header may stand before it.
    private static func contentLength(of headers: ArraySlice<UInt8>) -> Int? {
        for line in headers.split(separator: 0x0A).reversed() {
            let text = String(decoding: line, as: UTF8.self).lowercased()
            guard let start = text.firstRange(of: "content-length:")?.upperBound else { continue }
            let digits = text[start...].filter { $0 != " " && $0 != "\r" && $0 != "\t" }
            guard digits.allSatisfy(\.isASCII), let length = Int(digits), length >= 0 else { return nil }
            return length
        }
        return nil
    }

    /// A message with its header.
    package static func framed(_ message: JSONValue) -> [UInt8] {
        let body = Array(message.text.utf8)
        return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}
