/// The styles that the elements of a screen share.
public struct Theme: Hashable, Sendable {
    /// The look of borders.
    public var box: Box.Look
    /// The selected row of a list that has the focus.
    public var selection: Style
    /// The selected row of a list without the focus.
    public var fadedSelection: Style
    /// The keys in ``KeyHints``.
    public var key: Style
    /// The words in ``KeyHints``, and placeholders.
    public var hint: Style
    /// Spinners, progress, and the thumb of scroll bars.
    public var accent: Style

    /// Makes a theme of the terminal's colours.
    public init(
        box: Box.Look = .plain, selection: Style = .reversed, fadedSelection: Style = .bold, key: Style = .bold,
        hint: Style = .dim, accent: Style = .bold
    ) {
        self.box = box
        self.selection = selection
        self.fadedSelection = fadedSelection
        self.key = key
        self.hint = hint
        self.accent = accent
    }

    /// Cyan for what has the focus and for keys, and grey for what matters less.
    public static let colored = Theme(
        box: Box.Look(
            border: .color(.brightBlack), focus: .color(.cyan), title: .bold, note: .color(.brightBlack)),
        selection: Style(foreground: .indexed(255), background: .indexed(238)),
        fadedSelection: Style(foreground: .indexed(252), background: .indexed(236)),
        key: .color(.cyan), hint: .color(.brightBlack), accent: .color(.cyan))
}
