import RandomCases
import Testing

@testable import TerminalRenderer

@Suite
struct RendererTests {
    /// The terminal shows the canvas, and unchanged cells are not sent.
    @Test(arguments: [(1, 1), (2, 1), (1, 5), (7, 3), (20, 6), (80, 24)], ColorMode.allCases)
    func terminalShowsTheCanvasAndUnchangedCellsAreNotWritten(size: (Int, Int), mode: ColorMode) {
        var generator = SeededGenerator(seed: UInt64(size.0 * 1000 + size.1))
        var renderer = Renderer(colorMode: mode)
        var emulator = TerminalEmulator()
        var canvas = Canvas(size: Size(width: size.0, height: size.1))
        emulator.feed(renderer.render(canvas))
        #expect(emulator.writes.isEmpty)
        for _ in 0..<60 {
            let previous = canvas
            if Int.random(in: 0..<8, using: &generator) == 0 { canvas = Canvas(size: canvas.size) }
            canvas.scribble(strokes: .random(in: 0...5, using: &generator), using: &generator)
            emulator.forgetWrites()
            emulator.feed(renderer.render(canvas))
            var expectedWrites: [TerminalEmulator.Place] = []
            for row in 0..<size.1 {
                for column in 0..<size.0 {
                    guard let cell = canvas.cell(column: column, row: row) else { continue }
                    let style = cell.style.reduced(to: mode)
                    let shown = emulator.cell(column: column, row: row)
                    #expect(shown == Cell(cell.character, style: style, isContinuation: cell.isContinuation))
                    if cell != previous.cell(column: column, row: row), !cell.isContinuation {
                        expectedWrites.append(.init(column: column, row: row))
                    }
                }
            }
            // The columns of a character of uncertain width are cleared first.
            #expect(emulator.places.filter(expectedWrites.contains) == expectedWrites)
            for place in emulator.places where !expectedWrites.contains(place) {
                // Something may be left of a sequence before it.
                let isBehindASequence = (1..<12).contains { distance in
                    [previous, canvas].contains { canvas in
                        let cell = canvas.cell(column: place.column - distance, row: place.row)
                        return (cell?.character.unicodeScalars.count ?? 0) > 1
                    }
                }
                #expect(isBehindASequence)
            }
            #expect(emulator.complaints.isEmpty)
            #expect(emulator.isPlain)
        }
    }

    /// Also one that gives each code point of a sequence columns of its own.
    @Test(arguments: [(7, 3), (20, 6), (80, 24)])
    func nothingIsLeftOfACharacterThatATerminalMakesWider(size: (Int, Int)) {
        var generator = SeededGenerator(seed: UInt64(size.0))
        var renderer = Renderer()
        var emulator = TerminalEmulator()
        emulator.countsCodePoints = true
        var canvas = Canvas(size: Size(width: size.0, height: size.1))
        for _ in 0..<200 {
            if Int.random(in: 0..<8, using: &generator) == 0 { canvas = Canvas(size: canvas.size) }
            canvas.scribble(strokes: .random(in: 0...5, using: &generator), using: &generator)
            emulator.feed(renderer.render(canvas))
            for row in 0..<size.1 {
                for column in 0..<size.0 {
                    guard let cell = canvas.cell(column: column, row: row), !cell.isContinuation else { continue }
                    let shown = emulator.cell(column: column, row: row)
                    #expect(shown.character.unicodeScalars.first == cell.character.unicodeScalars.first)
                    #expect(!shown.isContinuation)
                }
            }
        }
        #expect(emulator.complaints.isEmpty)
    }

    @Test
    func equalCanvasCostsNothingAndAnotherSizeClearsTheScreen() {
        var renderer = Renderer()
        var canvas = Canvas(size: Size(width: 5, height: 2))
        canvas.draw("hello", in: canvas.bounds)
        #expect(renderer.render(canvas) == "\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hhello\u{1B}[?2026l")
        #expect(renderer.render(canvas).isEmpty)
        canvas.draw("J", in: canvas.bounds, style: Style(foreground: .brightRed, isBold: true))
        #expect(renderer.render(canvas) == "\u{1B}[?2026h\u{1B}[1;1H\u{1B}[0;1;91mJ\u{1B}[0m\u{1B}[?2026l")
        #expect(renderer.render(Canvas(size: Size(width: 0, height: 0))).contains("\u{1B}[2J"))
        renderer.invalidate()
        #expect(renderer.render(canvas).hasPrefix("\u{1B}[?2026h\u{1B}[0m\u{1B}[2J"))
    }

    @Test
    func cursorIsShownWhereTheCanvasHasIt() {
        var renderer = Renderer()
        var canvas = Canvas(size: Size(width: 5, height: 2))
        _ = renderer.render(canvas)
        canvas.placeCursor(column: 3, row: 1)
        #expect(renderer.render(canvas) == "\u{1B}[?2026h\u{1B}[2;4H\u{1B}[?25h\u{1B}[?2026l")
        #expect(renderer.render(canvas).isEmpty)
        // Cells that are written move the cursor, so it is set again.
        canvas.draw("x", in: canvas.bounds)
        #expect(renderer.render(canvas) == "\u{1B}[?2026h\u{1B}[1;1Hx\u{1B}[2;4H\u{1B}[?2026l")
        renderer.invalidate()
        #expect(renderer.render(canvas).hasSuffix("\u{1B}[2;4H\u{1B}[?25h\u{1B}[?2026l"))
        canvas.placeCursor(column: 5, row: 1)
        #expect(renderer.render(canvas) == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[?2026l")
    }

    @Test
    func cursorIsSetAfterCharactersOfUncertainWidth() {
        var renderer = Renderer()
        var canvas = Canvas(size: Size(width: 5, height: 1))
        canvas.draw("\u{2764}\u{FE0F}\u{6F22}x", in: canvas.bounds)
        #expect(
            renderer.render(canvas)
                == "\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[1;1H  \u{1B}[1;1H\u{2764}\u{FE0F}\u{1B}[1;3H\u{6F22}x\u{1B}[?2026l"
        )
    }

    /// Also where the terminal has no glyph, or joins what follows.
    @Test
    func characterThatATerminalMayNotKnowIsWrittenOnCellsThatWereCleared() {
        var renderer = Renderer()
        var canvas = Canvas(size: Size(width: 3, height: 1))
        _ = renderer.render(canvas)
        canvas.draw("\u{B96}q\u{200D}|", in: canvas.bounds)
        let parts = ["\u{1B}[1;1H ", "\u{1B}[1;1H\u{B96}", "\u{1B}[1;2H ", "\u{1B}[1;2Hq", "\u{1B}[1;3H|"]
        #expect(renderer.render(canvas) == "\u{1B}[?2026h" + parts.joined() + "\u{1B}[?2026l")
    }

    @Test @MainActor
    func textOnAColourCanBeRead() {
        let colors: [Color] = [.rgb(0xFFE81F), .rgb(0x28385E), .rgb(0xD73A4A), .rgb(0xA2EEEF), .red, .brightWhite]
        #expect(colors.map(\.readable) == [0, 0xFFFFFF, 0xFFFFFF, 0, 0xFFFFFF, 0].map { .rgb($0) })
        #expect(ElementTests.lines(Text.badge("bug", .red, isBold: true) + Text("!"), 8, 1) == [" bug !"])
    }

    @Test(arguments: [
        ("d73a4a", 0xD73A4A), ("#0075CA", 0x0075CA), ("fff", nil), ("+12345", nil), ("", nil), ("1234567", nil),
    ])
    func colourIsReadFromHexadecimalDigits(text: String, bits: UInt32?) {
        #expect(Color(hexadecimal: text) == bits.map { .rgb($0) })
    }

    @Test(arguments: [
        ([:], ColorMode.sixteen), (["NO_COLOR": ""], .sixteen), (["NO_COLOR": "1", "COLORTERM": "truecolor"], .none),
        (["TERM": "dumb"], .none), (["TERM": "xterm-256color"], .extended), (["TERM": "xterm-direct"], .trueColor),
        (["TERM": "xterm", "COLORTERM": "24bit"], .trueColor),
    ])
    func environmentDecidesOnColours(environment: [String: String], mode: ColorMode) {
        #expect(ColorMode(environment: environment) == mode)
    }

    @Test
    func colourBecomesTheNearestThatTheTerminalHas() {
        #expect(Color.rgb(0xFF0000).reduced(to: .trueColor) == .rgb(0xFF0000))
        #expect(Color.rgb(0xFF0000).reduced(to: .extended) == .indexed(196))
        #expect(Color.rgb(0x303030).reduced(to: .extended) == .indexed(236))
        #expect(Color.rgb(0xFA0000).reduced(to: .sixteen) == .brightRed)
        #expect(Color.indexed(226).reduced(to: .sixteen) == .brightYellow)
        #expect(Color.rgb(0x7BD88F).reduced(to: .sixteen) == .brightGreen)
        #expect(Color.rgb(0x6CB6FF).reduced(to: .sixteen) == .brightCyan)
        #expect(Color.rgb(0x4A5568).reduced(to: .sixteen) == .brightBlack)
        #expect(Color.rgb(0x800020).reduced(to: .sixteen) == .red)
        #expect(Color.red.reduced(to: .sixteen) == .red)
        #expect(Color.red.reduced(to: .none) == nil)
    }

    @Test
    func withoutColoursAttributesAreLeft() {
        var renderer = Renderer(colorMode: .none)
        var canvas = Canvas(size: Size(width: 1, height: 1))
        canvas.draw(
            "x", in: canvas.bounds,
            style: Style(foreground: .red, background: .rgb(1), isItalic: true, isReversed: true))
        #expect(renderer.render(canvas).hasSuffix("\u{1B}[0;3;7mx\u{1B}[0m\u{1B}[?2026l"))
    }
}
