import Foundation
import Testing

@testable import TerminalRenderer

/// Texts of what services send.
@MainActor @Suite
struct TextTests {
    @Test(arguments: [
        (-100, "now"), (0.9, "now"), (59, "59m"), (60, "1h"), (1439, "23h"), (1440, "1d"), (86_399, "59d"),
        (86_400, "2mo"), (1_051_199, "24mo"), (1_051_200, "2y"), (.infinity, "999y"), (1e300, "999y"),
    ])
    func ageHasAtMostFourColumns(minutes: Double, expected: String) {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let text = Text.age(of: now.addingTimeInterval(-60 * minutes), at: now, .dim)
        #expect(text == Text(expected, .dim) && text.width <= 4)
        #expect(Text.age(of: nil, at: now) == Text(""))
    }

    @Test func partsOfMarkdownAreSetApart() {
        let text = Text.markdown("# Title\r\n> said\n```swift\nlet x\n# no title\n```\nplain\n")
        let expected = [
            Text("# Title", .bold), Text("> said", .dim), Text("  let x", .color(.yellow)),
            Text("  # no title", .color(.yellow)), Text("plain"), Text(""),
        ]
        #expect(text == Text.joined(expected, by: Text("\n")))
        #expect(Text.markdown("") == Text(""))
    }

    @Test func badgesAreWholeOrCanBeRead() {
        let names: [(name: String, color: Color)] = [("bug", .red), ("needs reproduction", .blue), ("x", .red)]
        func badges(_ width: Int) -> String { ElementTests.lines(Text.badges(names, within: width), 40, 1)[0] }
        func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }
        #expect(trimmed(badges(40)) == " bug   needs reproduction   x")
        #expect(trimmed(badges(30)) == " bug   needs reproduction   x")
        #expect(trimmed(badges(29)) == " bug   needs reproduction")
        #expect(trimmed(badges(16)) == " bug   needs r\u{2026}")
        #expect(trimmed(badges(15)) == " bug")
        #expect(Text.badges(names, within: 4).isEmpty && Text.badges(names, within: -3).isEmpty)
        let plain = Text.badges(names, within: 5, isPlain: true)
        #expect(plain == Text(" bug "))
        #expect(Text.badges(names, within: 5) == .badge("bug", .red))
    }
}
