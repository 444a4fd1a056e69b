/// One of the sixteen colours that every terminal has; the user chooses the palette.
public enum Color: UInt8, Hashable, Sendable, CaseIterable {
    /// Colour 0 of the palette.
    case black
    /// Colour 1 of the palette.
    case red
    /// Colour 2 of the palette.
    case green
    /// Colour 3 of the palette.
    case yellow
    /// Colour 4 of the palette.
    case blue
    /// Colour 5 of the palette.
    case magenta
    /// Colour 6 of the palette.
    case cyan
    /// Colour 7 of the palette.
    case white
    /// Colour 8 of the palette.
    case brightBlack
    /// Colour 9 of the palette.
    case brightRed
    /// Colour 10 of the palette.
    case brightGreen
    /// Colour 11 of the palette.
    case brightYellow
    /// Colour 12 of the palette.
    case brightBlue
    /// Colour 13 of the palette.
    case brightMagenta
    /// Colour 14 of the palette.
    case brightCyan
    /// Colour 15 of the palette.
    case brightWhite
}

/// The style of a cell's character.
public struct Style: Hashable, Sendable {
    /// The colour of the character; nil for the terminal's default.
    public var foreground: Color?
    /// The colour of the background; nil for the terminal's default.
    public var background: Color?
    /// True for bold characters.
    public var isBold: Bool
    /// True for faint characters.
    public var isDim: Bool
    /// True if foreground and background are exchanged.
    public var isReversed: Bool

    /// Makes a style; without arguments it is the terminal's plain text.
    public init(
        foreground: Color? = nil,
        background: Color? = nil,
        isBold: Bool = false,
        isDim: Bool = false,
        isReversed: Bool = false
    ) {
        self.foreground = foreground
        self.background = background
        self.isBold = isBold
        self.isDim = isDim
        self.isReversed = isReversed
    }

    /// Plain text in the terminal's default style.
    public static let plain = Style()
    /// Bold text in the terminal's colours.
    public static let bold = Style(isBold: true)
    /// Faint text in the terminal's colours.
    public static let dim = Style(isDim: true)
    /// Foreground and background exchanged.
    public static let reversed = Style(isReversed: true)

    /// The same attributes without any colour.
    public var withoutColor: Style {
        Style(isBold: isBold, isDim: isDim, isReversed: isReversed)
    }

    /// The Select Graphic Rendition sequence that sets this style after any other style (ECMA-48, 8.3.117).
    var escapeSequence: String {
        var parameters = ["0"]
        if isBold { parameters.append("1") }
        if isDim { parameters.append("2") }
        if isReversed { parameters.append("7") }
        if let foreground { parameters.append("\(Self.parameter(foreground, base: 30))") }
        if let background { parameters.append("\(Self.parameter(background, base: 40))") }
        return "\u{1B}[" + parameters.joined(separator: ";") + "m"
    }

    private static func parameter(_ color: Color, base: Int) -> Int {
        let index = Int(color.rawValue)
        return index < 8 ? base + index : base + 60 + index - 8
    }
}

/// Whether a renderer may use colours.
public enum ColorMode: Hashable, Sendable {
    /// The sixteen colours and the attributes.
    case sixteen
    /// Attributes only: bold, dim and reverse.
    case none

    /// The mode that the user has chosen. A `NO_COLOR` variable that is not empty turns colours off, and so does a
    /// terminal called `dumb`.
    public init(environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        self = isRefused || environment["TERM"] == "dumb" ? .none : .sixteen
    }
}
