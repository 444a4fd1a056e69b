import Testing

@testable import TerminalRenderer

@Suite
struct RendererTests {
    /// The terminal shows the canvas, and unchanged cells are not sent.
    @Test(arguments: [(1, 1), (2, 1), (1, 5), (7, 3), (20, 6), (80, 24)], [ColorMode.sixteen, .none])
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
                    let style = mode == .none ? cell.style.withoutColor : cell.style
                    let shown = emulator.cell(column: column, row: row)
                    #expect(shown == Cell(cell.character, style: style, isContinuation: cell.isContinuation))
                    if cell != previous.cell(column: column, row: row), !cell.isContinuation {
                        expectedWrites.append(.init(column: column, row: row))
                    }
                }
            }
            #expect(emulator.writes == expectedWrites)
            #expect(emulator.complaints.isEmpty)
            #expect(emulator.isPlain)
        }
    }

    @Test
    func equalCanvasCostsNothingAndAnotherSizeClearsTheScreen() {
        var renderer = Renderer()
        var canvas = Canvas(size: Size(width: 5, height: 2))
        canvas.draw("hello", in: canvas.bounds)
        #expect(renderer.render(canvas) == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hhello")
        #expect(renderer.render(canvas).isEmpty)
        canvas.draw("J", in: canvas.bounds, style: Style(foreground: .brightRed, isBold: true))
        #expect(renderer.render(canvas) == "\u{1B}[1;1H\u{1B}[0;1;91mJ\u{1B}[0m")
        #expect(renderer.render(Canvas(size: Size(width: 0, height: 0))) == "\u{1B}[0m\u{1B}[2J")
        renderer.invalidate()
        #expect(renderer.render(canvas).hasPrefix("\u{1B}[0m\u{1B}[2J"))
    }

    @Test
    func noColorIsHonoured() {
        #expect(ColorMode(environment: [:]) == .sixteen)
        #expect(ColorMode(environment: ["NO_COLOR": ""]) == .sixteen)
        #expect(ColorMode(environment: ["NO_COLOR": "1"]) == .none)
        #expect(ColorMode(environment: ["TERM": "dumb"]) == .none)
        var renderer = Renderer(colorMode: .none)
        var canvas = Canvas(size: Size(width: 1, height: 1))
        canvas.draw("x", in: canvas.bounds, style: Style(foreground: .red, background: .blue, isReversed: true))
        #expect(renderer.render(canvas).hasSuffix("\u{1B}[0;7mx\u{1B}[0m"))
    }
}
