/// A text in one or more styles.
///
///     Text("Episode 4", .bold) + Text("  4.5", .color(.yellow))
///
/// Line breaks of the text are kept. A line that is too long is cut with an ellipsis, or continued on the next lines if
/// the text is ``wrapped``. Control characters are left out, so that a text from a server cannot command the terminal.
public struct Text: Element, Hashable {
    /// A part of one style.
    struct Span: Hashable, Sendable {
        let text: String
        let style: Style
    }

    /// The side on which lines that are shorter than the rectangle begin.
    public enum Alignment: Hashable, Sendable {
        /// Lines begin at the left edge.
        case left
        /// Lines stand in the middle.
        case center
        /// Lines end at the right edge.
        case right
    }

    private(set) var spans: [Span]
    private var isWrapped = false
    private var alignment = Alignment.left

    /// Makes a text of one style.
    public init(_ text: some StringProtocol, _ style: Style = .plain) {
        spans = [Span(text: String(text), style: style)]
    }

    /// A text on a colour, with a space at each side, in black or white: a label or a sign.
    public static func badge(_ text: some StringProtocol, _ color: Color, isBold: Bool = false) -> Text {
        Text(" \(text) ", Style(foreground: color.readable, background: color, isBold: isBold))
    }

    /// One text after another. The left one decides on wrapping and alignment.
    public static func + (left: Text, right: Text) -> Text {
        var sum = left
        sum.spans += right.spans
        return sum
    }

    /// Appends a text.
    public static func += (left: inout Text, right: Text) { left.spans += right.spans }

    /// The texts one after another, with another text between each two.
    public static func joined(_ texts: [Text], by separator: Text = Text(" ")) -> Text {
        texts.dropFirst().reduce(texts.first ?? Text("")) { $0 + separator + $1 }
    }

    /// The text with long lines continued on the next ones, broken at spaces where there are any.
    public var wrapped: Text {
        var copy = self
        copy.isWrapped = true
        return copy
    }

    /// The text with another alignment.
    public func aligned(_ alignment: Alignment) -> Text {
        var copy = self
        copy.alignment = alignment
        return copy
    }

    /// The number of columns of the longest line.
    public var width: Int { StyledLine.lines(of: spans).map(\.width).max() ?? 0 }

    /// True if there is no character.
    public var isEmpty: Bool { spans.allSatisfy { $0.text.isEmpty } }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let lines = lines(width: limits.width)
        return Size(
            width: min(limits.width, lines.map(\.width).max() ?? 0), height: min(limits.height, lines.count))
    }

    public func draw(in rect: Rect, of frame: Frame) {
        for (index, line) in lines(width: rect.width).prefix(rect.height).enumerated() {
            let free = max(0, rect.width - line.width)
            let indent =
                switch alignment {
                case .left: 0
                case .center: free / 2
                case .right: free
                }
            line.draw(in: rect.line(index).cuttingLeft(indent).rest, of: frame)
        }
    }

    private func lines(width: Int) -> [StyledLine] {
        let lines = StyledLine.lines(of: spans)
        return isWrapped ? lines.flatMap { $0.wrapped(toWidth: width) } : lines
    }
}
