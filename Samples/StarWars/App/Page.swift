import TerminalRenderer

/// The contents of a screen before layout, made from components.
struct Page: Hashable, Sendable {
    /// The state of the data.
    enum Progress: Hashable, Sendable {
        /// The data is complete.
        case idle
        /// A request is in flight; the page may show older data meanwhile.
        case loading
        /// There is no data, for this reason.
        case failed(String)
    }

    var title: String
    /// The text at the right of the title.
    var note = ""
    var progress = Progress.idle
    /// A warning above the contents, such as a refetch that failed while older data is shown.
    var warning: String?
    var lines: [StyledLine] = []
    /// The lines that can be selected.
    var selectable = 0..<0
    /// The selected line.
    var selection: Int?

    /// Sets the selectable lines and the selected one.
    mutating func select(_ selection: Selection, in lines: Range<Int>) {
        selectable = lines
        self.selection = lines.isEmpty ? nil : lines.lowerBound + selection.index
    }
}

/// The text around a page.
struct Surroundings: Hashable, Sendable {
    /// The last publish in several forms, the longest first. The first form that fits is shown.
    var status: [String]
    /// The help on keys, one text for each key; a narrow screen shows it on several lines.
    var help: [String]
    /// Whether the user lets the network fail.
    var isNetworkDown = false
    /// The time, which drives the spinner.
    var time: Duration = .zero
}

extension Page {
    /// Lays the page out on a screen of any size; parts that do not fit are left out, the least important first.
    func canvas(size: Size, surroundings: Surroundings) -> Canvas {
        var canvas = Canvas(size: size)
        let hasRules = size.height > 7
        var (top, rest) = canvas.bounds.cuttingTop(1)
        drawTitle(on: &canvas, in: top, surroundings)
        if hasRules { (top, rest) = rest.cuttingTop(1) }
        var bottom: Rect
        if size.height > 3 {
            // The help takes at most a quarter of the screen.
            let help = surroundings.help.lines(width: size.width, count: max(1, size.height / 4))
            (rest, bottom) = rest.cuttingBottom(help.count)
            for (index, line) in help.enumerated() { canvas.draw(line, in: bottom.line(index), style: .dim) }
        }
        if size.height > 2 {
            (rest, bottom) = rest.cuttingBottom(1)
            let status = surroundings.status.first { $0.displayWidth <= bottom.width } ?? surroundings.status.last ?? ""
            canvas.draw(status.truncated(toWidth: bottom.width), in: bottom, style: Style(foreground: .green))
        }
        bottom = top
        if hasRules { (rest, bottom) = rest.cuttingBottom(1) }
        let hidden = drawBody(on: &canvas, in: rest)
        if hasRules {
            drawRule(on: &canvas, in: top, hidden.above, "\u{2191}")
            drawRule(on: &canvas, in: bottom, hidden.below, "\u{2193}")
        } else if hidden.below > 0, rest.width > 1, rest.height > 0 {
            let (_, corner) = rest.line(rest.height - 1).cuttingLeft(rest.width - 1)
            canvas.draw("\u{2193}", in: corner, style: .dim)
        }
        return canvas
    }

    /// Draws a line between parts of the page, with the number of hidden lines.
    private func drawRule(on canvas: inout Canvas, in rect: Rect, _ hidden: Int, _ arrow: String) {
        let mark = hidden > 0 ? "\(arrow) \(hidden) more" : ""
        let length = max(0, rect.width - (mark.isEmpty ? 0 : mark.displayWidth + 1))
        let rule = String(repeating: "\u{2500}", count: length)
        canvas.draw(mark.isEmpty ? rule : rule + " " + mark, in: rect, style: .dim)
    }

    private func drawTitle(on canvas: inout Canvas, in rect: Rect, _ surroundings: Surroundings) {
        var notes = [note]
        if surroundings.isNetworkDown { notes.insert("NETWORK DOWN", at: 0) }
        if progress == .loading { notes.insert(Spinner.text(at: surroundings.time), at: 0) }
        let right = notes.filter { !$0.isEmpty }.joined(separator: "  ")
        let (left, corner) = rect.cuttingLeft(max(0, rect.width - right.displayWidth))
        canvas.draw(title.truncated(toWidth: max(0, left.width - 1)), in: left, style: .bold)
        canvas.draw(right, in: corner, style: surroundings.isNetworkDown ? Style(foreground: .red) : .dim)
    }

    /// Draws the contents; returns the number of lines that did not fit above and below.
    private func drawBody(on canvas: inout Canvas, in rect: Rect) -> (above: Int, below: Int) {
        var rect = rect
        if let warning {
            let (top, rest) = rect.cuttingTop(1)
            canvas.draw(warning.truncated(toWidth: top.width), in: top, style: Style(foreground: .yellow))
            rect = rest
        }
        if case .failed(let reason) = progress {
            let style = Style(foreground: .red, isBold: true)
            let lines =
                [StyledLine("Could not load this.", style)] + reason.wrapped(toWidth: rect.width).map { StyledLine($0) }
                + [StyledLine(), StyledLine("Press r to try again.")]
            for (index, line) in lines.enumerated() { line.draw(on: &canvas, in: rect.line(index)) }
            return (0, 0)
        }
        if lines.isEmpty, progress == .loading {
            StyledLine("Loading...", .dim).draw(on: &canvas, in: rect)
            return (0, 0)
        }
        let first = firstVisible(height: rect.height)
        for (index, line) in lines.enumerated().dropFirst(first).prefix(rect.height) {
            line.draw(on: &canvas, in: rect.line(index - first), isSelected: index == selection)
            // The first column of rows is for the marker, which terminals without reversed colours show too.
            if index == selection { canvas.draw(">", in: rect.line(index - first), style: .reversed) }
        }
        return (first, max(0, lines.count - first - rect.height))
    }

    /// The first line to show: the top for the first selectable line, the end for the last one, and in proportion
    /// between.
    func firstVisible(height: Int) -> Int {
        let hidden = lines.count - height
        guard let selection, hidden > 0 else { return 0 }
        let step = selection - selectable.lowerBound
        let first = hidden * step / max(1, selectable.count - 1)
        return min(max(first, selection - height + 1), selection)
    }
}

/// A spinner that turns with time.
enum Spinner {
    private static let phases = ["|", "/", "-", "\\"]

    /// The time of one phase.
    static let interval = Duration.milliseconds(100)

    static func text(at time: Duration) -> String {
        let phase = Int(time / interval)
        return phases[abs(phase % phases.count)] + " loading"
    }
}

extension [String] {
    /// Joins the texts with two spaces into at most `count` lines; the rest is cut.
    func lines(width: Int, count: Int) -> [String] {
        var lines: [String] = []
        for piece in self {
            if let last = lines.last, last.displayWidth + 2 + piece.displayWidth <= width || lines.count == count {
                lines[lines.count - 1] = last + "  " + piece
            } else {
                lines.append(piece)
            }
        }
        return lines.map { $0.truncated(toWidth: width) }
    }
}
