import Testing

@testable import TerminalRenderer

@Suite
struct CanvasTests {
    @Test
    func textIsClippedToItsRectangle() {
        var canvas = Canvas(size: Size(width: 8, height: 2))
        let rest = canvas.draw("abcdef", in: Rect(column: 2, row: 0, width: 3, height: 1))
        canvas.draw("xyz", in: Rect(column: -1, row: 1, width: 20, height: 1))
        canvas.draw("gone", in: Rect(column: 0, row: 2, width: 8, height: 1))
        canvas.draw("gone", in: Rect(column: 0, row: 0, width: 8, height: 0))
        #expect(canvas.lines == ["  abc", "yz"])
        #expect(rest.isEmpty)
    }

    @Test
    func halfOfAWideCharacterIsASpace() {
        var canvas = Canvas(size: Size(width: 5, height: 1))
        canvas.draw("a\u{6F22}\u{5B57}z", in: canvas.bounds)
        #expect(canvas.lines == ["a\u{6F22}\u{5B57}"])
        #expect(canvas.cell(column: 2, row: 0)?.isContinuation == true)
        canvas.draw("b", in: Rect(column: 2, row: 0, width: 1, height: 1))
        #expect(canvas.lines == ["a b\u{5B57}"])
        canvas.draw("\u{5B57}", in: Rect(column: 4, row: 0, width: 9, height: 1))
        #expect(canvas.lines == ["a b"])
    }

    /// A vowel sign beside its consonant, and a conjunct of three columns.
    @Test
    func partOfACharacterOfManyColumnsIsASpace() {
        var canvas = Canvas(size: Size(width: 8, height: 1))
        canvas.draw("a\u{928}\u{93F}\u{915}\u{94D}\u{937}\u{93F}z", in: canvas.bounds)
        #expect(canvas.lines == ["a\u{928}\u{93F}\u{915}\u{94D}\u{937}\u{93F}z"])
        canvas.draw("b", in: Rect(column: 4, row: 0, width: 1, height: 1))
        #expect(canvas.lines == ["a\u{928}\u{93F} b z"])
        canvas.draw("\u{915}\u{94D}\u{937}\u{93F}", in: Rect(column: 6, row: 0, width: 2, height: 1))
        #expect(canvas.lines == ["a\u{928}\u{93F} b"])
    }

    @Test(arguments: [
        ("a", 1), ("\u{7}", 0), ("e\u{301}", 1), ("\u{301}", 0), ("\u{6F22}", 2), ("\u{FF21}", 2), ("\u{AC00}", 2),
        ("\u{1F680}", 2), ("\u{1F44D}\u{1F3FD}", 2), ("\u{2764}", 1), ("\u{2764}\u{FE0F}", 2), ("\u{200B}", 0),
        ("\u{2500}", 1), ("\u{20000}", 2), ("", 0), ("ab\u{6F22}", 4), ("\u{928}\u{93F}", 2), ("\u{BA8}\u{BBF}", 2),
        ("\u{915}\u{94D}\u{937}\u{93F}", 3), ("\u{E01}\u{E33}", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("\u{1F468}\u{200D}\u{1F469}", 2), ("\u{26F9}\u{1F3FD}", 2), ("\u{93F}", 0), ("\u{600}1", 1),
    ])
    func everyCharacterHasItsDisplayWidth(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test
    func textIsFittedToColumns() {
        #expect("A New Hope".truncated(toWidth: 6) == "A New\u{2026}")
        #expect("\u{6F22}\u{5B57}\u{6F22}".truncated(toWidth: 4) == "\u{6F22}\u{2026}")
        #expect("abc".truncated(toWidth: 0).isEmpty)
        #expect("ab".padded(toWidth: 4) == "ab  ")
    }

    @Test
    func cuttingNeverLeavesTheRectangle() {
        let rect = Rect(column: 2, row: 3, width: 4, height: 5)
        #expect(rect.cuttingTop(2).rest == Rect(column: 2, row: 5, width: 4, height: 3))
        #expect(rect.cuttingTop(9).top == rect)
        #expect(rect.cuttingTop(-1).rest == rect)
        #expect(rect.cuttingBottom(1).bottom == Rect(column: 2, row: 7, width: 4, height: 1))
        #expect(rect.cuttingBottom(99).rest.isEmpty)
        #expect(rect.cuttingLeft(3).rest == Rect(column: 5, row: 3, width: 1, height: 5))
        #expect(rect.line(4) == Rect(column: 2, row: 7, width: 4, height: 1))
        #expect(rect.line(5).isEmpty && rect.line(-1).isEmpty)
        #expect(rect.intersection(Rect(column: 9, row: 9, width: 1, height: 1)).isEmpty)
    }
}
