import Foundation
import Testing

@testable import GitHub
@testable import TerminalRenderer

/// What people write in scripts that terminals draw in many ways.
extension ProgramTests {
    /// Characters of Devanagari and Tamil: vowel signs that take space, conjuncts, marks above and below.
    private nonisolated static let glyphs: [String] = [
        "\u{928}\u{93F}", "\u{915}\u{94D}\u{937}\u{93F}", "\u{939}\u{93F}\u{902}", "\u{926}\u{940}", "\u{917}\u{941}",
        "\u{BA8}\u{BBF}", "\u{B95}\u{BCD}\u{BB7}", "\u{BA4}\u{BAE}\u{BBF}\u{BB4}\u{BCD}", "\u{B95}\u{BCA}", "\u{B94}",
    ]

    /// A text of other words for each other text.
    private nonisolated static func words(instead text: Substring) -> String {
        var words: [String] = []
        for (number, word) in text.split(separator: " ").enumerated() {
            let isKept = number % 3 == 2 || !word.allSatisfy(\.isLetter)
            let letters = word.utf8.map { glyphs[Int($0) % glyphs.count] }
            words.append(isKept ? String(word) : letters.prefix(4).joined())
        }
        return words.joined(separator: " ")
    }

    /// Also on a terminal that gives each code point columns of its own, whatever has been in its row before.
    @Test(arguments: [(40, 10), (110, 24)], [false, true])
    func nothingIsLeftOfGlyphsOfDevanagariAndTamil(size: (Int, Int), countsCodePoints: Bool) async throws {
        let (width, height) = size
        let program = try ProgramTests(
            faults: "latency=100",
            interceptors: Rewriting {
                $0.replacing(#/"(title|body)":"([^"\\]*)/#) {
                    "\"\($0.output.1)\":\"" + Self.words(instead: $0.output.2)
                }
            })
        var (renderer, emulator) = (Renderer(), TerminalEmulator())
        emulator.countsCodePoints = countsCodePoints
        var (glyphs, scraps) = (0, [String]())
        func show() {
            let canvas = program.screen.canvas(size: Size(width: width, height: height))
            emulator.feed(renderer.render(canvas))
            for row in 0..<height {
                for column in 0..<width {
                    guard let cell = canvas.cell(column: column, row: row), !cell.isContinuation else { continue }
                    let shown = emulator.cell(column: column, row: row)
                    let wanted = cell.character.unicodeScalars.first
                    if shown.character.unicodeScalars.first != wanted {
                        scraps.append("\(column), \(row): '\(shown.character)' and not '\(cell.character)'")
                    }
                    if let wanted, (0x900...0xBFF).contains(wanted.value) { glyphs += 1 }
                }
            }
        }
        _ = await program.wait(width: width, height: height)
        show()
        let down = [Key](repeating: .down, count: 8)
        var keys = down + [.enter]
        keys += down
        keys += [.escape, .up, .enter, .escape] as [Key]
        keys += down
        for key in keys {
            program.screen.receive(.key(key))
            // Also what is shown before it has loaded.
            show()
            _ = await program.wait(0.1, width: width, height: height)
            show()
        }
        #expect(scraps.isEmpty, "\(scraps.count): \(scraps.first ?? "")")
        #expect(glyphs > 1000 && emulator.complaints.isEmpty, "\(glyphs) \(emulator.complaints.first ?? "")")
    }
}
