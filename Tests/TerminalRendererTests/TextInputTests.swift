import Testing

@testable import TerminalRenderer

@MainActor @Suite
struct TextInputTests {
    /// Presses keys by their names; `_` is a space.
    private static func edit(_ text: String, _ keys: String, hasLines: Bool = false) -> String {
        let input = TextInput(text, hasLines: hasLines)
        for name in keys.split(separator: " ") {
            guard let key = Key(name: name == "_" ? "space" : name) else { return "no key \(name)" }
            _ = input.press(key)
        }
        var shown = Array(input.text)
        shown.insert("|", at: input.cursor)
        return String(shown)
    }

    @Test(arguments: [
        ("", "a b", "ab|"), ("abc", "left left x", "ax|bc"), ("abc", "home x end y", "xabcy|"),
        ("abc", "control-a delete", "|bc"), ("abc", "backspace backspace", "a|"),
        ("", "backspace left right delete", "|"),
        ("one two", "control-w", "one |"), ("one two  ", "alt-backspace", "one |"), ("one two", "alt-b x", "one x|two"),
        ("one two", "home alt-f x", "onex| two"), ("one two", "home alt-d", "| two"),
        ("one two", "control-left", "one |two"),
        ("one two", "control-u", "|"), ("one two", "home control-k", "|"), ("ab", "home control-e x", "abx|"),
        ("e\u{301}\u{1F469}\u{200D}\u{1F680}", "backspace backspace", "|"),
    ])
    func keysEditTheText(text: String, keys: String, expected: String) {
        #expect(Self.edit(text, keys) == expected)
    }

    @Test(arguments: [
        ("ab\ncd", "up x", "abx|\ncd"), ("abc\nd", "up x", "ax|bc\nd"), ("a", "enter b", "a\nb|"),
        ("ab\ncd", "home control-k", "ab\n|"), ("ab\ncd", "up home down x", "ab\nx|cd"),
        ("ab\ncd", "home backspace", "ab|cd"),
    ])
    func keysEditLines(text: String, keys: String, expected: String) {
        #expect(Self.edit(text, keys, hasLines: true) == expected)
    }

    @Test
    func pastedTextKeepsItsLinesOnlyWhereThereAreSome() {
        let line = TextInput()
        line.insert("a\nb\u{1B}[2J\tc")
        #expect(line.text == "a b c")
        let lines = TextInput(hasLines: true)
        lines.insert("a\nb")
        #expect(lines.text == "a\nb")
        #expect(!line.press(.enter))
        #expect(!line.press(.escape))
        line.replace(with: "x")
        #expect(line.text == "x" && line.cursor == 1)
    }

    @Test(arguments: [
        ("\u{1B}[31mred\u{1B}[0m", "red"), ("a\u{1B}]0;title\u{7}b\u{1B}]8;;u\u{1B}\\c", "abc"), ("\u{9B}1mx", "x"),
        ("a\u{1B}", "a"), ("a\u{1B}(Bb", "ab"), ("\u{1B}[\u{1B}[1mx", "x"), ("a\u{1B}P1\nb", "a\nb"),
        ("\u{1B}[3\u{E9}", "\u{E9}"), ("a\u{0}\u{7F}b", "ab"), ("\tx\ty", "    x    y"),
    ])
    func pastedSequencesAreLeftOutWhole(pasted: String, expected: String) {
        let input = TextInput(hasLines: true)
        input.insert(pasted)
        #expect(input.text == expected && input.cursor == expected.count)
    }

    /// Input methods open their windows at the terminal's cursor.
    @Test
    func cursorOfTheTerminalIsInTheFieldThatHasTheFocus() {
        func cursor(_ element: any Element, _ width: Int, _ height: Int) -> [Int]? {
            ElementTests.frame(element, width, height).canvas.cursor.map { [$0.column, $0.row] }
        }
        let input = TextInput("ab\u{6F22}")
        func box(isFocused: Bool) -> some Element { Box { TextField(input, isFocused: isFocused) } }
        #expect(cursor(box(isFocused: true), 9, 3) == [5, 1])
        #expect(cursor(box(isFocused: false), 9, 3) == nil)
        #expect(cursor(box(isFocused: true).overlay(Text("over")), 9, 3) == nil)
        #expect(cursor(Text("").overlay(box(isFocused: true)), 9, 3) != nil)
        #expect(cursor(TextField(TextInput("one two\nthree", hasLines: true)), 9, 4) == [5, 1])
        #expect(cursor(TextField(TextInput("abcdefgh")), 5, 1) == [4, 0])
    }

    @Test
    func combiningCharacterJoinsTheOneBeforeIt() {
        let input = TextInput("e")
        input.insert("\u{301}")
        #expect(input.text == "e\u{301}" && input.cursor == 1)
        _ = input.press(.character("x"))
        #expect(input.text == "e\u{301}x" && input.cursor == 2)
    }

    @Test
    func longLineScrollsSoThatTheCursorIsSeen() {
        let input = TextInput("abcdefgh")
        #expect(ElementTests.lines(TextField(input), 5, 1) == ["efgh"])
        for _ in 0..<8 { _ = input.press(.left) }
        #expect(ElementTests.lines(TextField(input), 5, 1) == ["abcde"])
        let words = TextInput("one two three\nfour", hasLines: true)
        #expect(ElementTests.lines(TextField(words), 9, 4) == ["one two", "three", "four", ""])
        #expect(ElementTests.lines(TextField(words), 9, 2) == ["three", "four"])
        #expect(ElementTests.lines(TextField(TextInput(), placeholder: "search"), 9, 1) == ["search"])
    }

    @Test
    func draftsAreKeptForEachSubject() {
        let drafts = Drafts<String>(hasLines: true)
        drafts["a"].insert("one\ntwo")
        #expect(drafts["a"].text == "one\ntwo" && drafts["b"].text.isEmpty)
        #expect(drafts["a"] === drafts["a"] && drafts["a"].hasLines && !Drafts<Int>()[1].hasLines)
    }
}
