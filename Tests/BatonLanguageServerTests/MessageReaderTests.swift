import BatonLanguageServer
import Testing

struct MessageReaderTests {
    private static func frame(_ text: String) -> [UInt8] {
        Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    }

    private static func messages(_ events: [MessageReader.Event]) -> [String] {
        events.compactMap { if case .message(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func messagesComeWholeHoweverTheStreamIsCut(size: Int) {
        let bytes = Self.frame("{\"a\":1}") + Self.frame("{}") + Self.frame("[\"\u{1F600}\"]")
        var reader = MessageReader()
        var found: [MessageReader.Event] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += reader.take(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(Self.messages(found) == ["{\"a\":1}", "{}", "[\"\u{1F600}\"]"])
        #expect(found.count == 3)
    }

    @Test func otherHeadersAreAllowed() {
        var reader = MessageReader()
        let text = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n{}"
        #expect(Self.messages(reader.take(Array(text.utf8))) == ["{}"])
    }

    @Test(arguments: ["Length: 3\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: -4\r\n\r\n", "what\r\n\r\n{}"])
    func whatIsNoMessageIsToldOnceAndSkipped(garbage: String) {
        var reader = MessageReader()
        let found = reader.take(Array(garbage.utf8) + Self.frame("{\"b\":2}"))
        #expect(Self.messages(found) == ["{\"b\":2}"])
        #expect(found.count == 2)
    }

    @Test func bytesWithoutALineBreakAreNotKept() {
        var reader = MessageReader()
        var count = 0
        for _ in 0..<100 { count += reader.take([UInt8](repeating: 0x41, count: 10_000)).count }
        #expect(count == 1)
        #expect(Self.messages(reader.take(Array("\n\n".utf8) + Self.frame("{}"))) == ["{}"])
    }

    @Test func aMessageThatIsTooLongIsSkippedAndTheNextOneRead() {
        var reader = MessageReader()
        let length = MessageReader.lengthLimit + 10
        var found = reader.take(Array("Content-Length: \(length)\r\n\r\n".utf8))
        #expect(found.count == 1)
        let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
        var left = length
        while left > 0 {
            found += reader.take(chunk.prefix(left))
            left -= min(left, chunk.count)
        }
        #expect(Self.messages(reader.take(Self.frame("{}"))) == ["{}"])
    }

    @Test func aMessageThatIsNoRequestIsAnswered() throws {
        func error(_ text: String) -> Int? {
            if case .failure(let refusal) = Message.read(Array(text.utf8)) { refusal.error.code } else { nil }
        }
        #expect(error("{") == -32700)
        #expect(error("[1]") == -32600)
        #expect(error("{\"id\":1}") == -32600)
        #expect(error("{\"id\":{},\"method\":\"a\"}") == -32600)
        #expect(error(String(repeating: "[", count: 100_000)) == -32700)
        #expect(error("\u{0}\u{FF}") == -32700)
        #expect(error("{\"id\":1,\"method\":\"a\"}") == nil)
    }
}
