import RandomCases

@testable import TerminalRenderer

extension Color {
    static let someOfEachKind =
        basic + [.indexed(16), .indexed(117), .indexed(232), .rgb(0xFFE81F), .rgb(0x101010), .rgb(0)]
}

extension Canvas {
    private static let pieces = [
        "a", "B", " ", "~", "e\u{301}", "\u{2500}", "\u{6F22}", "\u{D55C}", "\u{1F680}", "\u{1F44D}\u{1F3FD}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{0301}", "\u{7}", "\n", "\u{FF21}",
        "\u{1F1E9}\u{1F1EA}", "\u{2764}\u{FE0F}", "1\u{FE0F}\u{20E3}", "\u{928}\u{93F}", "\u{BA8}\u{BBF}",
        "\u{915}\u{94D}\u{937}\u{93F}", "\u{E01}\u{E33}", "\u{26F9}\u{1F3FD}",
    ]

    /// Draws random text in random styles at random places, some of them outside.
    mutating func scribble(strokes: Int, using generator: inout SeededGenerator) {
        for _ in 0..<strokes {
            let text = (0..<Int.random(in: 1...6, using: &generator))
                .compactMap { _ in Self.pieces.randomElement(using: &generator) }
                .joined()
            let rect = Rect(
                column: .random(in: -3...(size.width + 2), using: &generator),
                row: .random(in: -1...size.height, using: &generator),
                width: .random(in: 0...12, using: &generator),
                height: .random(in: 0...3, using: &generator)
            )
            let style = Style(
                foreground: Bool.random(using: &generator)
                    ? Color.someOfEachKind.randomElement(using: &generator) : nil,
                background: Bool.random(using: &generator)
                    ? Color.someOfEachKind.randomElement(using: &generator) : nil,
                isBold: Bool.random(using: &generator),
                isDim: Bool.random(using: &generator),
                isItalic: Bool.random(using: &generator),
                isUnderlined: Bool.random(using: &generator),
                isReversed: Bool.random(using: &generator)
            )
            if Int.random(in: 0..<6, using: &generator) == 0 {
                clear(rect, style: style)
            } else {
                draw(text, in: rect, style: style)
            }
        }
    }
}
