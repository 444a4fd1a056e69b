import RandomCases
import TerminalRenderer
import Testing

@Suite
struct KeyDecoderTests {
    private static let cases: [(String, [InputEvent])] = [
        ("a Z", keys(.character("a"), .character(" "), .character("Z"))),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", keys(.up, .down, .right, .left)),
        ("\u{1B}OA\u{1B}OB\u{1B}OH\u{1B}OF", keys(.up, .down, .home, .end)),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{1B}[2~", keys(.pageUp, .pageDown, .delete, .insert)),
        ("\u{1B}[1;5A\u{1B}[1;2D\u{1B}[3;3~", keys(.modified(.up, .control), .shift(.left), .alt(.delete))),
        ("\u{1B}[1;8C", keys(.modified(.right, [.shift, .alt, .control]))),
        (
            "\u{1B}OP\u{1B}[15~\u{1B}[24~\u{1B}[1;2Q",
            keys(.function(1), .function(5), .function(12), .shift(.function(2)))
        ),
        ("\u{1B}[Z", keys(.shift(.tab))),
        ("\r\n\t\u{7F}\u{8}", keys(.enter, .enter, .tab, .backspace, .backspace)),
        ("\u{3}\u{1A}", keys(.control("c"), .control("z"))),
        ("\u{E9}\u{6F22}\u{1F680}", keys(.character("\u{E9}"), .character("\u{6F22}"), .character("\u{1F680}"))),
        ("\u{1B}q\u{1B}\u{E9}z", keys(.alt(.character("q")), .alt(.character("\u{E9}")), .character("z"))),
        ("\u{1B}\u{1B}[A", keys(.escape, .up)),
        ("\u{1B}\u{7F}", keys(.alt(.backspace))),
        ("\u{1B}[?1;2cy\u{1B}[99~z", keys(.character("y"), .character("z"))),
        ("\u{1B}[\u{1B}[Bq", keys(.down, .character("q"))),
        (
            "\u{1B}[200~a\r\u{1B}[Ab\r\nc\u{6F22}\u{1B}[201~z",
            [.paste("a\n\u{1B}[Ab\nc\u{6F22}"), .key(.character("z"))]
        ),
        ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
        (
            "\u{1B}[<0;3;4M\u{1B}[<0;3;4m\u{1B}[<2;1;1M",
            [
                .mouse(MouseEvent(.press(button: 0), column: 2, row: 3)),
                .mouse(MouseEvent(.release(button: 0), column: 2, row: 3)),
                .mouse(MouseEvent(.press(button: 2), column: 0, row: 0)),
            ]
        ),
        (
            "\u{1B}[<64;200;100M\u{1B}[<65;1;2M\u{1B}[<20;1;1M",
            [
                .mouse(MouseEvent(.wheelUp, column: 199, row: 99)),
                .mouse(MouseEvent(.wheelDown, column: 0, row: 1)),
                .mouse(MouseEvent(.press(button: 0), column: 0, row: 0, modifiers: [.shift, .control])),
            ]
        ),
        ("\u{1B}[<35;1;1M\u{1B}[<0;0;1M\u{1B}[<999;1;1M\u{1B}[<M", []),
    ]

    private static func keys(_ keys: Key...) -> [InputEvent] { keys.map { .key($0) } }

    /// Bytes may arrive in pieces of any size, and always give the same keys.
    @Test(arguments: cases)
    func eventsDoNotDependOnHowTheBytesArrive(text: String, events: [InputEvent]) {
        let bytes = Array(text.utf8)
        for size in [1, 2, 3, bytes.count] {
            var decoder = KeyDecoder()
            var decoded: [InputEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                decoded += decoder.decode(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(decoded == events)
            #expect(!decoder.isPending)
            #expect(decoder.flush().isEmpty)
        }
    }

    @Test
    func loneEscapeIsAKeyOnceNothingFollows() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]).isEmpty)
        #expect(decoder.isPending)
        #expect(decoder.flush() == [.key(.escape)])
        #expect(decoder.decode([UInt8(ascii: "q")]) == [.key(.character("q"))])
    }

    @Test
    func brokenTextBecomesTheReplacementCharacter() {
        var decoder = KeyDecoder()
        #expect(
            decoder.decode([0xFF, 0xC0, 0xE6, 0x41])
                == Self.keys(
                    .character("\u{FFFD}"), .character("\u{FFFD}"), .character("\u{FFFD}"), .character("A")))
        #expect(decoder.decode([0xF0, 0x9F]).isEmpty)
        #expect(decoder.flush() == [.key(.character("\u{FFFD}"))])
    }

    @Test
    func endlessSequenceIsBounded() {
        var decoder = KeyDecoder()
        #expect(
            decoder.decode("\u{1B}[\(String(repeating: "1;", count: 5000))Aq".utf8) == Self.keys(.up, .character("q")))
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
        _ = decoder.decode("\u{1B}[201~".utf8)
        _ = decoder.flush()
        #expect(decoder.decode([UInt8(ascii: "k")]) == [.key(.character("k"))])
    }

    @Test(arguments: [
        ("up", Key.up), ("page-down", .pageDown), ("space", .character(" ")), ("q", .character("q")),
        ("control-c", .control("c")), ("f5", .function(5)), ("f", .character("f")), ("shift-tab", .shift(.tab)),
        ("alt-enter", .alt(.enter)), ("control-left", .modified(.left, .control)), ("alt-b", .alt(.character("b"))),
    ])
    func everyKeyHasAName(name: String, key: Key) {
        #expect(Key(name: name) == key)
    }

    @Test
    func unknownNamesAreRefused() {
        #expect(Key(name: "") == nil)
        #expect(Key(name: "upp") == nil)
        #expect(Key(name: "control-") == nil)
        #expect(Key(name: "alt-upp") == nil)
        #expect(Key(name: "f0") == nil)
    }
}
