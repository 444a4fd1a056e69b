import Baton
import BatonTesting
import Testing

@testable import TerminalRenderer

/// Draws elements, and compares their text.
@MainActor @Suite
struct ElementTests {
    static func lines(_ element: any Element, _ width: Int, _ height: Int) -> [String] {
        frame(element, width, height).canvas.lines
    }

    static func frame(
        _ element: any Element, _ width: Int, _ height: Int, theme: Theme = Theme(), colorMode: ColorMode = .extended
    ) -> Frame {
        let size = Size(width: width, height: height)
        let environment = RelayEnvironment(network: MockNetwork())
        let frame = Frame(
            size: size, time: .milliseconds(250), theme: theme, colorMode: colorMode,
            components: ComponentCache(in: environment) {})
        element.draw(in: Rect(size), of: frame)
        return frame
    }

    @Test
    func rowsAndColumnsDivideWhatIsThere() {
        let element = Column {
            Row {
                Text("left")
                Spacer()
                Text("right")
            }
            Row(gap: 1) {
                Text("a").filling(width: 1, height: 0)
                Text("b").filling(width: 2, height: 0)
                Text("end").frame(width: 3)
            }
            Spacer.vertical
            Text("last")
        }
        #expect(Self.lines(element, 14, 5) == ["left     right", "a   b      end", "", "", "last"])
        #expect(Self.lines(element, 1, 1) == ["\u{2026}"])
        #expect(Self.lines(element, 0, 0).isEmpty)
    }

    /// Whatever the theme, a person without colours sees which box takes the keys.
    @Test
    func focusIsSeenWithoutColours() {
        let colored = Theme(
            box: Box.Look(border: .color(.rgb(0x4A5568)), focus: .color(.rgb(0xFFE81F)), title: .bold, note: .plain))
        let equal = Theme(box: Box.Look(border: .plain, focus: .plain, title: .bold, note: .plain))
        func border(_ theme: Theme, _ mode: ColorMode, isFocused: Bool) -> [String] {
            Self.frame(Box(isFocused: isFocused) { Text("x") }, 3, 3, theme: theme, colorMode: mode).canvas.lines
        }
        let light = ["\u{256D}\u{2500}\u{256E}", "\u{2502}x\u{2502}", "\u{2570}\u{2500}\u{256F}"]
        let heavy = ["\u{250F}\u{2501}\u{2513}", "\u{2503}x\u{2503}", "\u{2517}\u{2501}\u{251B}"]
        #expect(border(colored, .none, isFocused: true) == heavy)
        #expect(border(colored, .none, isFocused: false) == light)
        #expect(border(Theme(), .none, isFocused: true) == heavy)
        #expect(border(equal, .trueColor, isFocused: true) == heavy)
        for mode in ColorMode.allCases where mode != .none { #expect(border(colored, mode, isFocused: true) == light) }
    }

    @Test(arguments: [
        ("one two  three", 7, ["one two", "three"]), ("abcdefgh i", 3, ["abc", "def", "gh", "i"]),
        ("a\n\n  b", 5, ["a", "", "  b"]), ("a b", 0, []), ("one two", 7, ["one two"]),
        ("one two x", 7, ["one two", "x"]),
        ("\u{6F22}\u{5B57} z", 3, ["\u{6F22}", "\u{5B57}", "z"]), ("x\r\ny\tz", 9, ["x", "y   z"]),
        ("abc   ", 3, ["abc"]), ("one  two", 4, ["one", "two"]),
    ])
    func textIsWrappedAndKeepsItsLineBreaks(text: String, width: Int, expected: [String]) {
        let lines = Self.lines(Text(text).wrapped, width, 10)
        #expect(Array(lines.reversed().drop { $0.isEmpty }.reversed()) == expected)
    }

    @Test
    func textFromAServerCannotCommandTheTerminal() {
        #expect(Self.lines(Text("a\u{1B}[2J\u{7}b\u{9B}c"), 10, 1) == ["a[2Jbc"])
    }

    @Test
    func boxHasItsTitlesInTheBorder() {
        let box = Box("Films", note: "9 of 9", footer: "1/9") { Text("A New Hope") }
        #expect(
            Self.lines(box, 24, 3) == [
                "\u{256D}\u{2500} Films \u{2500}\u{2500}\u{2500}\u{2500}\u{2500} 9 of 9 \u{2500}\u{256E}",
                "\u{2502}A New Hope            \u{2502}",
                "\u{2570}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500} 1/9 \u{2500}\u{256F}",
            ])
        #expect(Self.lines(box, 24, 2) == ["A New Hope", ""])
    }

    @Test
    func tableLeavesOutColumnsWhereThereIsNoSpace() {
        let table = Table([
            .init("Title", .share(1)), .init("Year", .columns(4), .right), .init("Director", .share(1), fromWidth: 20),
        ])
        let element = Column {
            table.header
            table.row([Text("A New Hope"), Text("77"), Text("Lucas")])
        }
        #expect(Self.lines(element, 12, 2) == ["Title   Year", "A New \u{2026}   77"])
        #expect(Self.lines(element, 24, 2) == ["Title     Year Director", "A New Ho\u{2026}   77 Lucas"])
    }

    @Test
    func progressIsShownInEighths() {
        #expect(Self.lines(ProgressBar(0.3), 5, 1) == ["\u{2588}\u{258C}\u{2500}\u{2500}\u{2500}"])
        #expect(Self.lines(ProgressBar(2), 3, 1) == ["\u{2588}\u{2588}\u{2588}"])
        #expect(Self.lines(ProgressBar(.nan), 2, 1) == ["\u{2500}\u{2500}"])
    }

    @Test
    func keysThatAreAlwaysShownComeBeforeTheOthers() {
        let hints = KeyHints([("enter", "open"), ("x", "close")], always: [("?", "help"), ("q", "quit")])
        #expect(Self.lines(hints, 40, 1) == ["enter open  x close       ? help  q quit"])
        #expect(Self.lines(hints, 26, 1) == ["enter open  ? help  q quit"])
        #expect(Self.lines(hints, 20, 1) == ["      ? help  q quit"])
        #expect(Self.lines(hints, 7, 1) == ["? help"])
    }

    /// Each meaning can be read on a screen of any height, if it is scrolled.
    @Test
    func helpOfKeysIsScrolledAndWrappedWhereItDoesNotFit() {
        let keys = (1...9).map { ("\($0)", "does the thing of number \($0)") }
        let state = ScrollState()
        var isClosed = false
        let help = KeyHelp(keys, state) { isClosed = true }
        var seen = ""
        for _ in 0..<20 {
            let frame = Self.frame(help, 24, 6)
            seen += frame.canvas.lines.joined(separator: "\n")
            #expect(frame.keyActions.first { $0(.character("j")) } != nil)
        }
        #expect((1...9).allSatisfy { seen.contains("number \($0)") })
        #expect(!isClosed)
        #expect(Self.frame(help, 24, 6).keyActions.contains { $0(.escape) })
        #expect(isClosed)
        #expect(state.offset == 0)
        #expect(!Self.frame(help, 24, 6).keyActions.contains { $0(.control("c")) })
    }

    @Test
    func hintsThatDoNotFitAreLeftOut() {
        let hints = KeyHints([("q", "quit"), ("enter", "open")])
        #expect(Self.lines(hints, 18, 1) == ["q quit  enter open"])
        #expect(Self.lines(hints, 17, 1) == ["q quit"])
        #expect(Self.lines(hints, 3, 1) == [""])
    }

    @Test
    func scrolledElementStaysInRange() {
        let state = ScrollState()
        let element = Scroll(state) { Text("a\nb\nc\nd") }
        #expect(Self.lines(element, 3, 2) == ["a", "b"])
        #expect(state.press(.down))
        #expect(Self.lines(element, 3, 2) == ["b", "c"])
        #expect(state.press(.end))
        #expect(Self.lines(element, 3, 2) == ["c", "d"])
        #expect(state.press(.pageUp))
        #expect(Self.lines(element, 3, 2) == ["b", "c"])
        #expect(Self.lines(element, 3, 9).prefix(5) == ["a", "b", "c", "d", ""])
    }
}
