import TerminalRenderer
import Testing

@testable import StarWars

@Suite
struct PageTests {
    private static let page = Page(
        title: "Films",
        note: "9 films",
        lines: (1...30).map { StyledLine(" film \($0)") },
        selectable: 0..<30,
        selection: 20
    )

    private static let surroundings = Surroundings(status: ["status"], help: ["help"])

    /// Every size is laid out without a failure. The most important parts stay longest.
    @Test(arguments: [(1, 1), (2, 2), (5, 3), (10, 4), (20, 7), (40, 8), (80, 24), (0, 0), (200, 60)])
    func aPageFitsEveryScreen(width: Int, height: Int) {
        let lines = Self.page.canvas(size: Size(width: width, height: height), surroundings: Self.surroundings).lines
        #expect(lines.count == height)
        #expect(lines.allSatisfy { $0.displayWidth <= width })
        let shows = { (text: String) in lines.contains { $0.hasPrefix(text.prefix(width)) } }
        guard width > 6 else { return }
        #expect(shows("status") == (height > 2))
        #expect(shows("help") == (height > 3))
        #expect(shows(">film 21") == (height > 1))
    }

    @Test
    func everyLineCanBeReachedAndTheSelectionStaysVisible() {
        for (count, selectable) in [(30, 0..<30), (30, 8..<16), (30, 29..<30), (5, 1..<4)] {
            var page = Page(title: "", lines: Array(repeating: StyledLine(), count: count), selectable: selectable)
            for height in 1...40 {
                for selection in selectable {
                    page.selection = selection
                    let first = page.firstVisible(height: height)
                    #expect(first >= 0 && first <= max(0, count - 1))
                    #expect((first..<(first + height)).contains(selection))
                }
            }
        }
        var page = Page(title: "", lines: Array(repeating: StyledLine(), count: 30), selectable: 8..<16)
        page.selection = 8
        #expect(page.firstVisible(height: 18) == 0)
        page.selection = 15
        #expect(page.firstVisible(height: 18) == 12)
        page.selection = nil
        #expect(page.firstVisible(height: 18) == 0)
    }

    @Test
    func selectedLineIsReversed() {
        let canvas = Self.page.canvas(size: Size(width: 40, height: 24), surroundings: Self.surroundings)
        let reversed = (0..<24).filter { canvas.cell(column: 39, row: $0)?.style.isReversed == true }
        #expect(reversed.count == 1)
        #expect(reversed.first.map { canvas.lines[$0] } == ">film 21")
    }

    @Test
    func progressIsShown() {
        var page = Page(title: "Films", progress: .loading)
        var surroundings = Self.surroundings
        let size = Size(width: 40, height: 12)
        #expect(page.canvas(size: size, surroundings: surroundings).lines.contains("Loading..."))
        page.lines = [StyledLine("old film")]
        surroundings.time = .milliseconds(250)
        let stale = page.canvas(size: size, surroundings: surroundings).lines
        #expect(stale.contains("old film"))
        #expect(stale.first?.hasSuffix("- loading") == true)
        page.progress = .failed("no route to Hoth")
        surroundings.isNetworkDown = true
        let failed = page.canvas(size: size, surroundings: surroundings).lines
        #expect(failed.first?.hasSuffix("NETWORK DOWN") == true)
        #expect(failed.contains("no route to Hoth"))
        #expect(failed.contains("Press r to try again."))
        #expect(!failed.contains("old film"))
    }

    @Test
    func labelledTextGoesOnInItsColumn() {
        let lines: [StyledLine] = .labelled("Director", "Irvin Kershner", width: 20)
        #expect(lines.map { $0.spans.map(\.text).joined() } == ["Director   Irvin", "           Kershner"])
    }
}
