/// An element in a border with titles. Where the terminal's colours do not tell which box has the focus, its border has
/// thick lines.
///
///     Box("Films", note: "9 of 9", isFocused: true) { List(...) }
public struct Box: Element {
    /// The look of borders.
    public struct Look: Hashable, Sendable {
        /// The style of the border.
        public var border: Style
        /// The style of the border of the box that has the focus.
        public var focus: Style
        /// The style of the title.
        public var title: Style
        /// The style of the note.
        public var note: Style

        /// Makes a look.
        public init(border: Style, focus: Style, title: Style, note: Style) {
            self.border = border
            self.focus = focus
            self.title = title
            self.note = note
        }

        /// True if the colours do not tell which box has the focus, so that its lines must: without colours, or where
        /// both styles become the same.
        func needsHeavyFocus(in mode: ColorMode) -> Bool {
            mode == .none || focus.reduced(to: mode) == border.reduced(to: mode)
        }

        /// Faint borders; the one with the focus is bold.
        public static let plain = Look(border: .dim, focus: .bold, title: .bold, note: .dim)
    }

    /// The characters of a border.
    private struct Lines {
        let topLeft, topRight, bottomLeft, bottomRight, level, upright: String

        /// Thin lines with round corners.
        static let light = Lines(
            topLeft: "\u{256D}", topRight: "\u{256E}", bottomLeft: "\u{2570}", bottomRight: "\u{256F}",
            level: "\u{2500}", upright: "\u{2502}")
        /// Thick lines.
        static let heavy = Lines(
            topLeft: "\u{250F}", topRight: "\u{2513}", bottomLeft: "\u{2517}", bottomRight: "\u{251B}",
            level: "\u{2501}", upright: "\u{2503}")
    }

    private let title: Text
    private let note: Text
    private let footer: Text
    private let isFocused: Bool
    private let content: any Element

    /// Makes a box.
    ///
    /// - Parameters:
    ///   - title: the text at the left of the upper border.
    ///   - note: the text at the right of the upper border, such as a count.
    ///   - footer: the text at the right of the lower border, such as a place in a list.
    ///   - isFocused: whether keys go to the content.
    ///   - content: what stands in the border.
    public init(
        _ title: String = "", note: String = "", footer: String = "", isFocused: Bool = false,
        @ElementBuilder content: () -> any Element
    ) {
        self.title = Text(title)
        self.note = Text(note)
        self.footer = Text(footer)
        self.isFocused = isFocused
        self.content = content()
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let inner = content.size(within: Size(width: limits.width - 2, height: limits.height - 2), of: frame)
        let titles = title.width + note.width + 6
        return Size(
            width: min(limits.width, max(inner.width + 2, titles)), height: min(limits.height, inner.height + 2))
    }

    public func draw(in rect: Rect, of frame: Frame) {
        // A border in less than three rows would leave nothing of the content.
        guard rect.height > 2, rect.width > 2 else { return content.draw(in: rect, of: frame) }
        content.draw(in: rect.inset(horizontal: 1, vertical: 1), of: frame)
        let look = frame.theme.box
        let style = isFocused ? look.focus : look.border
        let lines = isFocused && look.needsHeavyFocus(in: frame.colorMode) ? Lines.heavy : .light
        let line = String(repeating: lines.level, count: rect.width - 2)
        frame.canvas.draw(lines.topLeft + line + lines.topRight, in: rect.line(0), style: style)
        frame.canvas.draw(lines.bottomLeft + line + lines.bottomRight, in: rect.line(rect.height - 1), style: style)
        for row in 1..<rect.height - 1 {
            frame.canvas.draw(lines.upright, in: rect.line(row), style: style)
            frame.canvas.draw(lines.upright, in: rect.line(row).cuttingLeft(rect.width - 1).rest, style: style)
        }
        let top = rect.line(0).inset(horizontal: 2, vertical: 0)
        let rest = draw(title, look.title, in: top, isAtRight: false, of: frame)
        draw(note, look.note, in: rest, isAtRight: true, of: frame)
        let bottom = rect.line(rect.height - 1).inset(horizontal: 2, vertical: 0)
        draw(footer, look.note, in: bottom, isAtRight: true, of: frame)
    }

    /// Draws a text with spaces around it; returns the rest. At the right, a text without space is left out.
    @MainActor
    @discardableResult
    private func draw(_ text: Text, _ style: Style, in rect: Rect, isAtRight: Bool, of frame: Frame) -> Rect {
        guard !text.isEmpty, rect.width > 3 else { return rect }
        let width = min(rect.width, text.width + 2)
        if isAtRight, text.width + 2 > rect.width { return rect }
        let place = isAtRight ? rect.cuttingLeft(rect.width - width).rest : rect.cuttingLeft(width).left
        frame.canvas.clear(place)
        text.restyled { $0 = style }.draw(in: place.inset(horizontal: 1, vertical: 0), of: frame)
        return rect.cuttingLeft(width + 1).rest
    }

    public func flexibility(of frame: Frame) -> Flexibility { content.flexibility(of: frame) }
}
