import StarWarsComponents
import TerminalRenderer

/// The colours of the sample: the yellow of the opening crawl for what has the focus, blue for keys and links.
enum SampleTheme {
    static let crawl = Color.rgb(0xFFE81F)
    static let blue = Color.rgb(0x6CB6FF)
    static let faint = Color.rgb(0x7D8899)
    static let line = Color.rgb(0x4A5568)
    static let red = Color.rgb(0xFF6B6B)
    static let green = Color.rgb(0x7BD88F)

    static let theme = Theme(
        box: Box.Look(
            border: .color(line), focus: .color(crawl), title: .bold, note: .color(blue)),
        selection: Style(foreground: .brightWhite, background: .rgb(0x28385E)),
        fadedSelection: Style(background: .rgb(0x232A38)),
        key: .color(blue).bold,
        hint: .color(faint),
        accent: .color(crawl)
    )
}

extension Text {
    /// A text in the faint colour of labels and facts.
    static func faint(_ text: some StringProtocol) -> Text { Text(text, .color(SampleTheme.faint)) }

    /// The title of a section.
    static func heading(_ text: String) -> Text { Text(text, .color(SampleTheme.blue).bold) }

    /// All stars, those of the rating filled.
    static func stars(_ rating: Rating) -> Text {
        Text(String(repeating: "\u{2605}", count: rating.filled), .color(SampleTheme.crawl))
            + Text(String(repeating: "\u{2606}", count: Rating.most - rating.filled), .color(SampleTheme.line))
    }
}

extension Element where Self == Row {
    /// A label, and a text that is wrapped in its own column.
    static func labelled(_ label: String, _ text: String) -> Row { .labelled(.faint(label), Text(text), width: 11) }
}
