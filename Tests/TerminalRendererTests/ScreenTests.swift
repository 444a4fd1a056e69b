import Baton
import BatonTesting
import Testing

@testable import TerminalRenderer

/// Input goes to what is on the screen.
@MainActor @Suite
struct ScreenTests {
    /// A component with an inner one, a text field, and an overlay.
    private final class Page: Component {
        var log: [String] = []
        var contents = 0
        var hasOverlay = false
        let input = TextInput()
        let inner = Inner()

        var content: any Element {
            Column {
                countedTitle
                TextField(input)
                inner
            }
            .onKey { [self] in note("page", $0, takes: $0 == .escape) }
            .overlay(hasOverlay ? Text("over").onKey { [self] in note("overlay", $0, takes: true) } : nil)
        }

        private var countedTitle: any Element {
            contents += 1
            return Text("page \(contents)").onClick { [self] in log.append("click") }
        }

        private func note(_ place: String, _ key: Key, takes: Bool) -> Bool {
            log.append("\(place) \(key)")
            return takes
        }
    }

    private final class Inner: Component {
        var contents = 0

        var content: any Element {
            contents += 1
            return Row {
                Spinner()
                Text(" inner \(contents)")
            }
        }
    }

    private let page = Page()
    private let clock = ManualClock()
    private let screen: Screen

    init() {
        let environment = RelayEnvironment(network: MockNetwork(), clock: clock)
        screen = Screen(environment, clock: clock)
        screen.show(page)
    }

    private func lines() -> [String] { screen.canvas(size: Size(width: 12, height: 3)).lines }

    @Test
    func contentIsMadeAgainAfterInputOnly() {
        #expect(lines() == ["page 1", "", "\u{280B} inner 1"])
        clock.advance(to: clock.now.advanced(by: .milliseconds(100)))
        #expect(lines() == ["page 1", "", "\u{2819} inner 1"])
        screen.receive(.key(.character("x")))
        #expect(lines() == ["page 2", "x", "\u{2819} inner 2"])
        screen.changed()
        #expect(lines()[0] == "page 3")
    }

    @Test
    func innerElementsAreAskedFirst() {
        _ = lines()
        #expect(screen.receive(.key(.character("a"))))
        #expect(!screen.receive(.key(.enter)))
        #expect(screen.receive(.key(.escape)))
        #expect(screen.receive(.paste("b c")))
        #expect(page.log == ["page enter", "page escape"])
        #expect(page.input.text == "ab c")
    }

    @Test
    func nothingBehindAnOverlayTakesInput() {
        _ = lines()
        page.hasOverlay = true
        screen.changed()
        #expect(lines()[1].contains("over"))
        #expect(screen.receive(.key(.character("a"))))
        #expect(!screen.receive(.paste("b")))
        #expect(!screen.receive(.mouse(MouseEvent(.press(button: 0), column: 0, row: 0))))
        #expect(page.input.text.isEmpty && page.log == ["overlay character(\"a\")"])
    }

    /// The key after the one that opens an overlay is for the overlay, although no frame was asked for in between.
    @Test
    func keyGoesToTheFrameThatTheLastKeyHasLedTo() {
        _ = lines()
        screen.receive(.key(.enter))
        page.hasOverlay = true
        screen.receive(.key(.enter))
        #expect(page.log == ["page enter", "overlay enter"])
    }

    @Test
    func clickGoesToTheElementUnderIt() {
        _ = lines()
        #expect(screen.receive(.mouse(MouseEvent(.press(button: 0), column: 1, row: 0))))
        #expect(!screen.receive(.mouse(MouseEvent(.press(button: 0), column: 1, row: 2))))
        #expect(!screen.receive(.mouse(MouseEvent(.release(button: 0), column: 1, row: 0))))
        #expect(page.log == ["click"])
    }
}
