import Foundation
import Testing

@testable import TerminalRenderer

/// Draws texts for a terminal that is asked where its cursor is; `Tests/Integration/terminal-widths.py` does that.
@Suite
struct WidthCorpusTests {
    private static let folder = ProcessInfo.processInfo.environment["BATON_WIDTHS"].map { URL(filePath: $0) }
    private static let rows = 40

    /// Reads `texts`, one to a line, and writes the width of each, and frames in which each stands in a row of its own
    /// before a bar.
    @Test(.enabled(if: folder != nil))
    func writesWidthsAndFrames() throws {
        let folder = try #require(Self.folder)
        let texts = try String(contentsOf: folder.appending(path: "texts"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let widths = texts.map { "\($0.displayWidth) \($0.allSatisfy(\.hasCertainWidth) ? "certain" : "uncertain")\n" }
        try widths.joined().write(to: folder.appending(path: "widths"), atomically: true, encoding: .utf8)
        // Each frame takes the place of the one before, of which nothing may be left.
        var renderer = Renderer()
        for (page, start) in stride(from: 0, to: texts.count, by: Self.rows).enumerated() {
            var canvas = Canvas(size: Size(width: 60, height: Self.rows))
            for (row, text) in texts.dropFirst(start).prefix(Self.rows).enumerated() {
                let rest = canvas.draw(String(text), in: canvas.bounds.cuttingTop(row).rest)
                canvas.draw("|", in: rest)
                canvas.draw("end", in: Rect(column: 57, row: row, width: 3, height: 1))
            }
            try renderer.render(canvas).write(
                to: folder.appending(path: "page-\(page)"), atomically: true, encoding: .utf8)
        }
    }
}
