import TerminalRenderer

/// One line of text, in pieces of different styles; components render to these lines.
struct StyledLine: Hashable, Sendable {
    /// A piece of one style.
    struct Span: Hashable, Sendable {
        let text: String
        let style: Style
    }

    private(set) var spans: [Span] = []

    init() {}

    init(_ text: String, _ style: Style = .plain) {
        append(text, style)
    }

    mutating func append(_ text: String, _ style: Style = .plain) {
        spans.append(Span(text: text, style: style))
    }

    /// Appends text that is cut or padded to this number of columns, and a space.
    mutating func append(_ text: String, _ style: Style = .plain, width: Int) {
        append(text.padded(toWidth: width) + " ", style)
    }

    /// The line with a prefix, for markers and indents.
    func prefixed(_ text: String, _ style: Style = .plain) -> StyledLine {
        var line = StyledLine(text, style)
        line.spans += spans
        return line
    }

    /// Draws the line at the top of a rectangle, clipped to it; a selected line is reversed to the edge.
    func draw(on canvas: inout Canvas, in rect: Rect, isSelected: Bool = false) {
        if isSelected { canvas.clear(rect.line(0), style: .reversed) }
        var rest = rect
        for span in spans {
            rest = canvas.draw(span.text, in: rest, style: isSelected ? span.style.reversing : span.style)
        }
    }
}

extension Style {
    /// The reversed style without colours, which would not be readable.
    fileprivate var reversing: Style { Style(isBold: isBold, isReversed: true) }
}

extension [StyledLine] {
    /// A label, and a text that is wrapped in its own column.
    static func labelled(_ label: String, _ text: String, width: Int, labelWidth: Int = 11) -> [StyledLine] {
        guard width > labelWidth else { return [StyledLine(label + " " + text)] }
        let lines = text.wrapped(toWidth: width - labelWidth)
        return lines.enumerated().map { index, line in
            StyledLine(line).prefixed((index == 0 ? label : "").padded(toWidth: labelWidth), .dim)
        }
    }

    /// The title of a section.
    static func heading(_ text: String) -> [StyledLine] {
        [StyledLine(), StyledLine(text, Style(foreground: .cyan, isBold: true))]
    }
}
