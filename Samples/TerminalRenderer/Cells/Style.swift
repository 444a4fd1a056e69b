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
    /// True for italic characters.
    public var isItalic: Bool
    /// True for underlined characters.
    public var isUnderlined: Bool
    /// True if foreground and background are exchanged.
    public var isReversed: Bool

    /// Makes a style; without arguments it is the terminal's plain text.
    public init(
        foreground: Color? = nil, background: Color? = nil, isBold: Bool = false, isDim: Bool = false,
        isItalic: Bool = false, isUnderlined: Bool = false, isReversed: Bool = false
    ) {
        self.foreground = foreground
        self.background = background
        self.isBold = isBold
        self.isDim = isDim
        self.isItalic = isItalic
        self.isUnderlined = isUnderlined
        self.isReversed = isReversed
    }

    /// Plain text in the terminal's default style.
    public static let plain = Style()
    /// Bold text in the terminal's colours.
    public static let bold = Style(isBold: true)
    /// Faint text in the terminal's colours.
    public static let dim = Style(isDim: true)
    /// Italic text in the terminal's colours.
    public static let italic = Style(isItalic: true)
    /// Underlined text in the terminal's colours.
    public static let underlined = Style(isUnderlined: true)
    /// Foreground and background exchanged.
    public static let reversed = Style(isReversed: true)

    /// Text of this colour.
    public static func color(_ color: Color) -> Style { Style(foreground: color) }

    /// The style in bold.
    public var bold: Style { with { $0.isBold = true } }
    /// The style with another background.
    public func on(_ background: Color?) -> Style { with { $0.background = background } }

    /// A copy that a closure has changed.
    public func with(_ change: (inout Style) -> Void) -> Style {
        var copy = self
        change(&copy)
        return copy
    }

    /// The style with the colours of a mode; without any, only the attributes are left.
    public func reduced(to mode: ColorMode) -> Style {
        with {
            $0.foreground = foreground?.reduced(to: mode)
            $0.background = background?.reduced(to: mode)
        }
    }

    /// The Select Graphic Rendition sequence that sets this style after any other style (ECMA-48, 8.3.117).
    var escapeSequence: String {
        var parameters = ["0"]
        if isBold { parameters.append("1") }
        if isDim { parameters.append("2") }
        if isItalic { parameters.append("3") }
        if isUnderlined { parameters.append("4") }
        if isReversed { parameters.append("7") }
        if let foreground { parameters.append(foreground.parameters(base: 30)) }
        if let background { parameters.append(background.parameters(base: 40)) }
        return "\u{1B}[" + parameters.joined(separator: ";") + "m"
    }
}
