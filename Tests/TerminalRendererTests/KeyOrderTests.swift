import Baton
import BatonTesting
import Testing

@testable import TerminalRenderer

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Which of a list and the elements around it gets a key.
@MainActor @Suite
struct KeyOrderTests {
    private final class Page: Component {
        var log: [String] = []
        let state = ListState()
        let keys: ListKeys
        let isFirst: Bool

        init(_ keys: ListKeys, isFirst: Bool) {
            self.keys = keys
            self.isFirst = isFirst
        }

        private func open(_ index: Int) { log.append("open \(index)") }

        var content: any Element {
            List(0..<9, state, keys: keys, open: open) { index, _ in Text("\(index)") }
                .onKey(beforeInner: isFirst) { [self] key in
                    log.append("\(key)")
                    return key == .character("g") || key == .character("j")
                }
        }
    }

    private func press(_ keys: Key..., in page: Page) -> [String] {
        let clock = ManualClock()
        let screen = Screen(RelayEnvironment(network: MockNetwork(), clock: clock), clock: clock)
        screen.show(page)
        for key in keys {
            _ = screen.canvas(size: Size(width: 9, height: 3))
            screen.receive(.key(key))
        }
        return page.log
    }

    @Test
    func aListTakesTheKeysThatItIsGiven() {
        let all = Page(.all, isFirst: false)
        #expect(
            press(.down, .character("j"), .control("n"), .character("x"), .enter, in: all) == [
                "character(\"x\")", "open 3",
            ])
        let arrows = Page(.arrows, isFirst: false)
        #expect(
            press(.down, .character("j"), .control("n"), .enter, in: arrows)
                == ["character(\"j\")", "control(\"n\")", "open 1"])
        let none = Page([], isFirst: false)
        #expect(press(.down, .enter, .end, in: none) == ["down", "enter", "end"])
        #expect(none.state.selection == 0)
    }

    @Test
    func anActionAroundAListMayComeFirst() {
        let page = Page(.all, isFirst: true)
        #expect(press(.character("j"), .down, .character("G"), .character("g"), in: page).count == 4)
        // What the action leaves goes to the list.
        #expect(page.state.selection == 8)
    }

    @Test(arguments: [
        ("xterm", true), ("dumb", false), ("unknown", false), ("", false),
    ])
    func aDumbTerminalShowsNoScreens(_ term: String, _ isFit: Bool) throws {
        var ends: (Int32, Int32) = (-1, -1)
        try #require(openpty(&ends.0, &ends.1, nil, nil, nil) == 0)
        defer {
            close(ends.0)
            close(ends.1)
        }
        #expect(Terminal.showsScreens(input: ends.1, output: ends.1, environment: ["TERM": term]) == isFit)
        #expect(!Terminal.showsScreens(input: ends.1, output: -1, environment: ["TERM": term]))
    }
}
