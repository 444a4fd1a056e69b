import Testing

@testable import BatonHTTP

/// RFC 6455 as seen by who reads frames.
@Suite struct WebSocketReaderTests {
    private typealias Event = WebSocketReader.Event

    /// The events of bytes that come in pieces of one size, and the code of the breach that ends them.
    private func read(
        _ bytes: [UInt8], by size: Int = .max, limit: Int = 1 << 20, masks: Bool = false
    ) -> (events: [WebSocketReader.Event], code: Int?) {
        var reader = WebSocketReader(maximumMessageSize: limit, expectsMasks: masks)
        var events: [Event] = []
        var rest = bytes[...]
        do {
            repeat {
                reader.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let event = try reader.next() { events.append(event) }
            } while !rest.isEmpty
            return (events, nil)
        } catch {
            return (events, error.code)
        }
    }

    private func frame(
        _ opcode: WebSocketFrame.Opcode, _ text: String, isFinal: Bool = true, mask: UInt32? = nil
    ) -> [UInt8] {
        WebSocketFrame.bytes(opcode, Array(text.utf8), isFinal: isFinal, mask: mask)
    }

    @Test func messagesComeWholeHoweverTheyAreCut() {
        let long = String(repeating: "a", count: 70_000)
        let message =
            frame(.text, "one") + frame(.text, "t\u{E9}", isFinal: false) + frame(.ping, "p")
            + frame(.continuation, "", isFinal: false) + frame(.continuation, "wo") + frame(.binary, "")
            + frame(.text, String(long.prefix(300))) + frame(.pong, "") + frame(.text, long)
            + WebSocketFrame.close(1000, "bye", mask: nil) + frame(.text, "late")
        let events: [Event] = [
            .text(Array("one".utf8)), .ping([112]), .text(Array("t\u{E9}wo".utf8)), .binary([]),
            .text([UInt8](repeating: 97, count: 300)), .pong([]), .text(Array(long.utf8)),
            .close(code: 1000, reason: "bye"),
        ]
        for size in [1, 2, 3, 7, 1_000, 65_536, .max] {
            let result = read(message, by: size)
            #expect(result.events == events && result.code == nil)
        }
    }

    @Test func masksAreTakenOff() {
        for count in [0, 1, 3, 7, 8, 9, 64, 125, 126, 1_000] {
            let text = String(repeating: "Baton ", count: count).prefix(count)
            let bytes = frame(.text, String(text), mask: 0x1234_5678)
            #expect(bytes.suffix(count) != Array(text.utf8)[...] || count == 0)
            #expect(read(bytes, masks: true).events == [.text(Array(text.utf8))])
        }
        #expect(read(frame(.text, "a", mask: 1)).code == 1002)
        #expect(read(frame(.text, "a"), masks: true).code == 1002)
    }

    @Test(
        arguments: [
            [0xC1, 0], [0xA1, 0], [0x91, 0], [0x83, 0], [0x87, 0], [0x8B, 0], [0x8F, 0], [0x80, 0], [0x00, 0],
            [0x09, 0], [0x08, 0], [0x89, 126, 0, 126], [0x88, 1, 3], [0x81, 126, 0, 125],
            [0x81, 127, 0, 0, 0, 0, 0, 0, 255, 255],
            [0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255], [0x01, 0, 0x81, 0], [0x01, 0, 0x82, 0],
            [0x88, 2, 0, 0], [0x88, 2, 3, 237], [0x88, 2, 3, 238], [0x88, 2, 3, 247], [0x88, 2, 7, 208],
            [0x88, 2, 19, 136],
        ] as [[UInt8]])
    func whatTheProtocolForbidsIsABreach(_ bytes: [UInt8]) {
        #expect(read(bytes).code == 1002)
        #expect(read(bytes, by: 1).code == 1002)
        #expect(read(bytes).events == [])
    }

    @Test func aMessageMayBeAsLongAsTheLimit() {
        let parts = frame(.text, "abc", isFinal: false) + frame(.continuation, "de")
        #expect(read(parts, limit: 5).events == [.text(Array("abcde".utf8))])
        #expect(read(parts, limit: 4).code == 1009)
        #expect(read(frame(.text, "abcde"), limit: 4).code == 1009)
        // The header alone is enough.
        #expect(read([0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], limit: 4).code == 1009)
        #expect(read([0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], limit: .max).events == [])
        #expect(read(frame(.ping, "abcde"), limit: 4).events == [.ping(Array("abcde".utf8))])
    }

    @Test(arguments: [1000, 1001, 1003, 1007, 1014, 3000, 4999])
    func aCloseHasItsCodeAndReason(_ code: Int) {
        #expect(
            read(WebSocketFrame.close(code, "r\u{E9}", mask: nil)).events == [.close(code: code, reason: "r\u{E9}")])
    }

    @Test func aReasonIsCutToWholeCharacters() {
        let long = String(repeating: "\u{E9}", count: 100)
        #expect(WebSocketFrame.close(1000, long, mask: nil).count == 2 + 124)
        #expect(WebSocketFrame.close(1005, "none", mask: nil) == [0x88, 0])
        #expect(read([0x88, 0]).events == [.close(code: 1005, reason: "")])
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x92], [0xC3, 0x41], [0xFF],
        ] as [[UInt8]])
    func aTextThatIsNotUTF8IsABreach(_ bytes: [UInt8]) {
        let padded = Array("a text of more than eight bytes ".utf8) + bytes
        #expect(read(WebSocketFrame.bytes(.text, padded, mask: nil)).code == 1007)
        #expect(read(WebSocketFrame.bytes(.close, [3, 232] + bytes, mask: nil)).code == 1007)
        #expect(read(WebSocketFrame.bytes(.binary, padded, mask: nil)).events == [.binary(padded)])
        let parts =
            WebSocketFrame.bytes(.text, [bytes[0]], isFinal: false, mask: nil)
            + WebSocketFrame.bytes(.continuation, Array(bytes.dropFirst()), mask: nil)
        #expect(read(parts).code == 1007)
    }

    @Test func everyCharacterMayBeCutBetweenFragments() {
        let text = Array("\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}".utf8)
        for cut in 0...text.count {
            let parts =
                WebSocketFrame.bytes(.text, Array(text[..<cut]), isFinal: false, mask: nil)
                + WebSocketFrame.bytes(.continuation, Array(text[cut...]), mask: nil)
            #expect(read(parts).events == [.text(text)])
        }
    }

    /// Random bytes end in a breach or wait for more; what is written is read again, whatever the cuts.
    @Test func randomFramesAreRead() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = read(noise, by: Int.random(in: 1...8, using: &random), masks: Bool.random(using: &random))
            let mask: UInt32? = Bool.random(using: &random) ? random.next() : nil
            let payload = [UInt8](repeating: 98, count: Int.random(in: 0..<400, using: &random))
            var (bytes, rest) = ([] as [UInt8], payload[...])
            var opcode = WebSocketFrame.Opcode.text
            while opcode == .text || !rest.isEmpty {
                let size = Int.random(in: 0...max(rest.count, 1), using: &random)
                let part = Array(rest.prefix(size))
                rest = rest.dropFirst(size)
                bytes += WebSocketFrame.bytes(opcode, part, isFinal: rest.isEmpty, mask: mask)
                opcode = .continuation
            }
            let size = Int.random(in: 1...64, using: &random)
            #expect(read(bytes, by: size, masks: mask != nil).events == [.text(payload)])
        }
    }
}
