import TerminalRenderer
import Testing

@Suite
struct KeyDecoderTests {
    private static let cases: [(String, [Key])] = [
        ("a Z", [.character("a"), .character(" "), .character("Z")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OB\u{1B}OH\u{1B}OF", [.up, .down, .home, .end]),
        ("\u{1B}[1;5A\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.up, .pageUp, .pageDown, .delete]),
        ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
        ("\u{3}\u{1A}", [.control("c"), .control("z")]),
        ("\u{E9}\u{6F22}\u{1F680}", [.character("\u{E9}"), .character("\u{6F22}"), .character("\u{1F680}")]),
        ("\u{1B}q", [.escape, .character("q")]),
        ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("\u{1B}[200~x\u{1B}[?1;2cy\u{1B}[Zz", [.character("x"), .character("y"), .character("z")]),
        ("\u{1B}[\u{1B}[Bq", [.down, .character("q")]),
    ]

    /// Bytes may arrive in pieces of any size, and always give the same keys.
    @Test(arguments: cases)
    func keysDoNotDependOnHowTheBytesArrive(text: String, keys: [Key]) {
        let bytes = Array(text.utf8)
        for size in [1, 2, 3, bytes.count] {
            var decoder = KeyDecoder()
            var decoded: [Key] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                decoded += decoder.decode(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(decoded == keys)
            #expect(!decoder.isPending)
            #expect(decoder.flush().isEmpty)
        }
    }

    @Test
    func loneEscapeIsAKeyOnceNothingFollows() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]).isEmpty)
        #expect(decoder.isPending)
        #expect(decoder.flush() == [.escape])
        #expect(decoder.decode([UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test
    func brokenTextBecomesTheReplacementCharacter() {
        var decoder = KeyDecoder()
        #expect(
            decoder.decode([0xFF, 0xC0, 0xE6, 0x41]) == Array(repeating: .character("\u{FFFD}"), count: 3) + [
                .character("A")
            ])
        #expect(decoder.decode([0xF0, 0x9F]).isEmpty)
        #expect(decoder.flush() == [.character("\u{FFFD}")])
    }

    @Test
    func endlessSequenceIsBounded() {
        var decoder = KeyDecoder()
        #expect(decoder.decode("\u{1B}[\(String(repeating: "1;", count: 5000))Aq".utf8) == [.up, .character("q")])
    }

    @Test
    func anyBytesAreDecodedWithoutHarm() {
        var generator = SeededGenerator(seed: 7)
        var decoder = KeyDecoder()
        for _ in 0..<20_000 {
            // Escape, brackets and digits are frequent, so that every state is reached.
            let byte = [0x1B, 0x5B, 0x4F, 0x3B, 0x31, UInt8.random(in: 0...255, using: &generator)].randomElement(
                using: &generator)
            _ = decoder.decode([byte ?? 0])
        }
        _ = decoder.flush()
        #expect(decoder.decode([UInt8(ascii: "k")]) == [.character("k")])
    }

    @Test(arguments: [
        ("up", Key.up), ("page-down", .pageDown), ("space", .character(" ")), ("q", .character("q")),
        ("control-c", .control("c")),
    ])
    func everyKeyHasAName(name: String, key: Key) {
        #expect(Key(name: name) == key)
    }

    @Test
    func unknownNamesAreRefused() {
        #expect(Key(name: "") == nil)
        #expect(Key(name: "upp") == nil)
        #expect(Key(name: "control-") == nil)
    }
}
