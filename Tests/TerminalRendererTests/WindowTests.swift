import Testing

@testable import TerminalRenderer

/// Windows before other elements: how they are closed, and what a menu takes.
@MainActor @Suite
struct WindowTests {
    private final class Log {
        var entries: [String] = []
    }
    private let log = Log()
    private let state = ListState()

    /// A menu in the middle of 30 x 12 cells, at column 1 and row 3.
    private func frame(isNumbered: Bool = true) -> Frame {
        let choices = ["one", "two", "three"].map { Text(" \($0)") }
        let menu = Menu("Count", choices, marked: [1], isNumbered: isNumbered, state) { [log] in
            log.entries.append("chosen \($0)")
        }
        let behind = Text("behind").onClick { [log] in log.entries.append("behind") }
        return ElementTests.frame(
            behind.overlay(menu) { [log] in log.entries.append("closed") }
                .onKey { [log] in
                    log.entries.append("left \($0)")
                    return true
                }, 30, 12)
    }

    private func press(_ keys: Key..., isNumbered: Bool = true) -> [String] {
        for key in keys { _ = frame(isNumbered: isNumbered).keyActions.contains { $0(key) } }
        defer { log.entries = [] }
        return log.entries
    }

    private func mouse(_ action: MouseEvent.Action, column: Int, row: Int) -> [String] {
        let event = MouseEvent(action, column: column, row: row)
        _ = frame().mouseAreas.filter { $0.rect.contains(column: column, row: row) }.contains { $0.action(event) }
        defer { log.entries = [] }
        return log.entries
    }

    @Test func menuHasDigitsAndMarks() {
        let lines = frame().canvas.lines.map { $0.filter { !$0.isWhitespace } }
        #expect(lines.contains("\u{2502}1one\u{2502}") && lines.contains("\u{2502}\u{2022}2two\u{2502}"))
        #expect(!frame(isNumbered: false).canvas.lines.joined().contains("2"))
    }

    @Test func choiceIsMadeByEnterADigitOrOneClick() {
        // It begins with the choice that is marked, each time.
        #expect(press(.enter) == ["chosen 1"])
        #expect(press(.down, .enter) == ["chosen 2"])
        state.reset()
        #expect(press(.up, .enter) == ["chosen 0"])
        #expect(press(.character("3")) == ["chosen 2"])
        #expect(press(.character("0"), .character("4")) == ["left character(\"0\")", "left character(\"4\")"])
        #expect(press(.character("3"), isNumbered: false) == ["left character(\"3\")"])
        #expect(mouse(.press(button: 0), column: 8, row: 4) == ["chosen 0"])
        #expect(state.selection == 0)
        #expect(mouse(.press(button: 0), column: 8, row: 6) == ["chosen 2"])
    }

    @Test func windowIsClosedByKeysAndByAClickBesideIt() {
        for key: Key in [.escape, .control("g"), .character("q")] { #expect(press(key) == ["closed"]) }
        #expect(press(.character("x")) == ["left character(\"x\")"])
        #expect(mouse(.press(button: 0), column: 2, row: 0) == ["closed"])
        // Neither its border nor the wheel beside it closes it.
        #expect(mouse(.press(button: 0), column: 2, row: 3).isEmpty)
        #expect(mouse(.wheelDown, column: 2, row: 0).isEmpty)
        #expect(mouse(.release(button: 0), column: 2, row: 0).isEmpty)
    }

    /// What a window takes itself is not for closing it.
    @Test func fieldInAWindowTakesItsKeys() {
        let (log, input) = (log, TextInput())
        let frame = ElementTests.frame(Text("").overlay(TextField(input)) { log.entries.append("closed") }, 9, 3)
        for key: Key in [.character("q"), .escape] { #expect(frame.keyActions.contains { $0(key) }) }
        #expect(input.text == "q" && log.entries == ["closed"])
    }
}
