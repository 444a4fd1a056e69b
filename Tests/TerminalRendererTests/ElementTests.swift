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

    static func frame(_ element: any Element, _ width: Int, _ height: Int) -> Frame {
        let size = Size(width: width, height: height)
        let environment = RelayEnvironment(network: MockNetwork())
        let frame = Frame(
            size: size, time: .milliseconds(250), theme: Theme(), colorMode: .extended,
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
}
