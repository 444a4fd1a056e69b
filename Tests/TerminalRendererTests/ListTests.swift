import Testing

@testable import TerminalRenderer

/// Draws lists, and sends them keys and events of the mouse.
@MainActor @Suite
struct ListTests {
    private let state = ListState()
    /// The rows that were made since the last look.
    private final class Made {
        var indices: Set<Int> = []
    }
    private let made = Made()

    private func draw(_ count: Int, height: Int, rowHeight: Int = 1, isSelectable: (@MainActor (Int) -> Bool)? = nil)
        -> [String]
    {
        made.indices = []
        let list = List(0..<count, state, isSelectable: isSelectable) { [made] index, row in
            made.indices.insert(index)
            return Column((0..<rowHeight).map { Text((row.isSelected ? ">" : " ") + "\(index).\($0)") })
        }
        return ElementTests.lines(list, 9, height).map { String($0.prefix(6)).trimmed }
    }

    @Test
    func onlyTheRowsThatAreSeenAreMade() {
        #expect(draw(10_000, height: 3) == [">0.0", " 1.0", " 2.0"])
        #expect(made.indices == [0, 1, 2])
        state.selection = 9_999
        #expect(draw(10_000, height: 3) == [" 9997.", " 9998.", ">9999."])
        #expect(made.indices.count <= 4)
    }

    @Test
    func selectionIsScrolledTo() {
        _ = draw(10, height: 4)
        for _ in 0..<5 { #expect(state.press(.down)) }
        #expect(draw(10, height: 4) == [" 2.0", " 3.0", " 4.0", ">5.0"])
        #expect(state.press(.character("k")))
        #expect(draw(10, height: 4) == [" 2.0", " 3.0", ">4.0", " 5.0"])
        #expect(state.press(.character("G")))
        #expect(draw(10, height: 4) == [" 6.0", " 7.0", " 8.0", ">9.0"])
        #expect(state.press(.pageUp))
        #expect(draw(10, height: 4) == [">6.0", " 7.0", " 8.0", " 9.0"])
        #expect(state.press(.home))
        #expect(draw(10, height: 4) == [">0.0", " 1.0", " 2.0", " 3.0"])
        #expect(!state.press(.character("x")))
    }

    @Test
    func listThatBecomesShorterKeepsItsSelectionInRange() {
        state.selection = 9
        _ = draw(10, height: 4)
        #expect(draw(2, height: 4) == [" 0.0", ">1.0", "", ""])
        #expect(draw(0, height: 4) == ["", "", "", ""])
        #expect(state.selection == 0)
        #expect(draw(3, height: 4) == [">0.0", " 1.0", " 2.0", ""])
    }

    @Test
    func rowsAreMadeWhenTheyAreSeenAndKnowTheirPlace() {
        let rows = Rows(1..<1_000_000_000, of: 2_000_000_000) { "row \($0)" }
        state.selection = 3
        #expect(rows[999_999_998] == "row 999999999" && rows.count == 999_999_999)
        #expect(rows.place(in: state) == "4 of 2000000000" && state.selected(of: rows) == "row 4")
        let two = Rows(count: 2, of: 1) { $0 }
        #expect(two.place(in: state) == "2 of 2" && state.selected(of: two) == 1 && Array(two) == [0, 1])
        let none = Rows(count: 0, of: 7) { $0 }
        #expect(none.place(in: state) == "" && state.selected(of: none) == nil)
    }

    @Test
    func selectionThatIsSeenIsStillSeenInASmallerList() {
        _ = draw(10, height: 6)
        state.selection = 5
        #expect(draw(10, height: 6).last == ">5.0")
        #expect(draw(10, height: 2) == [" 4.0", ">5.0"])
        _ = draw(10, height: 6)
        // Neither a screen without space for the list, nor two rows of one line, lose it.
        #expect(draw(10, height: 0).isEmpty)
        #expect(draw(10, height: 1) == [">5.0"])
        _ = draw(10, height: 6)
        // What was scrolled away stays away.
        state.scroll(by: -9)
        state.selection = 0
        _ = draw(10, height: 3)
        state.scroll(by: 5)
        #expect(draw(10, height: 3) == [" 5.0", " 6.0", " 7.0"])
        #expect(draw(10, height: 2) == [" 5.0", " 6.0"])
    }

    @Test
    func textAtTheBeginningOfAListIsStillReadInASmallerList() {
        func draw(height: Int) -> [String] { self.draw(6, height: height) { $0 > 2 } }
        #expect(draw(height: 4) == [" 0.0", " 1.0", " 2.0", ">3.0"])
        #expect(draw(height: 2) == [" 0.0", " 1.0"])
    }

    @Test
    func rowThatIsHigherThanTheListIsScrolledThrough() {
        #expect(draw(2, height: 3, rowHeight: 5) == [">0.0", ">0.1", ">0.2"])
        state.move(by: 1)
        #expect(draw(2, height: 3, rowHeight: 5) == [">0.2", ">0.3", ">0.4"])
        state.move(by: 1)
        #expect(draw(2, height: 3, rowHeight: 5) == [">1.0", ">1.1", ">1.2"])
        state.move(by: -1)
        #expect(draw(2, height: 3, rowHeight: 5) == [">0.0", ">0.1", ">0.2"])
    }

    @Test
    func headingsAreSkippedAndStillSeen() {
        func draw() -> [String] { self.draw(6, height: 3) { $0 % 3 != 0 } }
        #expect(draw() == [" 0.0", ">1.0", " 2.0"])
        state.move(by: 1)
        state.move(by: 1)
        #expect(draw() == [" 2.0", " 3.0", ">4.0"])
        for _ in 0..<3 { state.move(by: -1) }
        _ = draw()
        state.move(by: -1)
        #expect(draw() == [" 0.0", ">1.0", " 2.0"])
    }

    /// A list of which ten rows more are loaded for each call of `more`, and then the load is over.
    @MainActor
    private final class Growing {
        var count = 5
        var loads = 0
        private(set) var wasCancelled = false
        private var waiting: CheckedContinuation<Bool, Never>?

        func load() async {
            loads += 1
            while await withCheckedContinuation({ waiting = $0 }) {
                if Task.isCancelled { wasCancelled = true }
                count += 10
            }
        }

        /// Lets the load make a step, or end.
        func more(_ isMore: Bool = true) async {
            while waiting == nil { await Task.yield() }
            let continuation = waiting
            waiting = nil
            continuation?.resume(returning: isMore)
            for _ in 0..<10 { await Task.yield() }
        }
    }

    private func place(in growing: Growing, press key: Key? = nil, isFocused: Bool = true) -> String {
        let rows = Rows(count: growing.count, of: 40, rest: { await growing.load() }, row: { $0 })
        let frame = ElementTests.frame(List(rows, state, isFocused: isFocused) { row, _ in Text("\(row)") }, 9, 4)
        if let key { _ = frame.keyActions.contains { $0(key) } }
        return rows.place(in: state)
    }

    @Test
    func endOfAListThatIsNotWholeIsGoneTo() async {
        let growing = Growing()
        _ = place(in: growing)
        #expect(place(in: growing, press: .character("G")) == "any key stops, 5 of 40")
        await growing.more()
        #expect(place(in: growing) == "any key stops, 15 of 40" && state.selection == 14)
        // The key again changes nothing.
        #expect(place(in: growing, press: .end) == "any key stops, 15 of 40")
        await growing.more()
        await growing.more(false)
        #expect(growing.loads == 1 && !state.isGoingToEnd)
        // The rows that came last are those of the next frame.
        #expect(place(in: growing) == "25 of 40" && state.selection == 24)
        growing.count = 35
        #expect(place(in: growing) == "25 of 40")
    }

    @Test(arguments: [.down, .character("x"), .escape, .home] as [Key], [true, false])
    func anyKeyEndsTheWayToTheEnd(key: Key, isFocused: Bool) async {
        let growing = Growing()
        _ = place(in: growing)
        _ = place(in: growing, press: .end)
        await growing.more()
        #expect(place(in: growing) == "any key stops, 15 of 40")
        let place = place(in: growing, press: key, isFocused: isFocused)
        #expect(place == (key == .home && isFocused ? "1 of 40" : "15 of 40") && !state.isGoingToEnd)
        await growing.more()
        await growing.more(false)
        #expect(growing.wasCancelled && self.place(in: growing) == place)
    }

    @Test
    func mouseSelectsOpensAndScrolls() {
        var opened: [Int] = []
        func frame() -> Frame {
            ElementTests.frame(
                Row {
                    Spacer.columns(2)
                    List(0..<20, state, open: { opened.append($0) }) { index, _ in Text("\(index)") }
                }, 9, 4)
        }
        func mouse(_ action: MouseEvent.Action, row: Int, column: Int = 4) -> Bool {
            let event = MouseEvent(action, column: column, row: row)
            return frame().mouseAreas.filter { $0.rect.contains(column: column, row: row) }.contains {
                $0.action(event)
            }
        }
        #expect(mouse(.press(button: 0), row: 2))
        #expect(state.selection == 2 && opened.isEmpty)
        #expect(mouse(.press(button: 0), row: 2))
        #expect(opened == [2])
        #expect(mouse(.wheelDown, row: 0))
        #expect(frame().canvas.lines.first?.prefix(3) == "  3")
        #expect(!mouse(.press(button: 0), row: 2, column: 1))
        #expect(frame().keyActions.contains { $0(.enter) })
        #expect(opened == [2, 2])
    }
}

extension String {
    /// The text without spaces at its end.
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
