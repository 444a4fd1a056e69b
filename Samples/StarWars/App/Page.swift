import TerminalRenderer

/// What a screen shows, before it is laid out: the model between components and canvas.
struct Page: Hashable, Sendable {
    /// How far the data is.
    enum Progress: Hashable, Sendable {
        /// What is shown is all there is to come.
        case idle
        /// Something is on its way; older data may be on the page meanwhile.
        case loading
        /// There is nothing to show, and this is why.
        case failed(String)
    }

    var title: String
    /// Stands at the right of the title.
    var note = ""
    var progress = Progress.idle
    /// A warning above the contents, such as a refetch that failed while older data is shown.
    var warning: String?
    var lines: [StyledLine] = []
    /// The lines that can be marked.
    var selectable = 0..<0
    /// The line that is marked, one of them.
    var selection: Int?

    /// Says which lines can be marked, and which one is.
    mutating func select(_ selection: Selection, in lines: Range<Int>) {
        selectable = lines
        self.selection = lines.isEmpty ? nil : lines.lowerBound + selection.index
    }
}

/// What stands around a page.
struct Surroundings: Hashable, Sendable {
    /// What the last publish did, in the longest form first; the first that fits is shown.
    var status: [String]
    /// What the keys do, a piece a key; on a narrow screen they go on in further lines.
    var help: [String]
    /// True while the user lets the network fail.
    var isNetworkDown = false
    /// The time, which turns the spinner.
    var time: Duration = .zero
}

extension Page {
    /// Lays the page out on a screen of any size; what does not fit is left out, the least important first.
    func canvas(size: Size, surroundings: Surroundings) -> Canvas {
        var canvas = Canvas(size: size)
        let hasRules = size.height > 7
        var (top, rest) = canvas.bounds.cuttingTop(1)
        drawTitle(on: &canvas, in: top, surroundings)
        if hasRules { (top, rest) = rest.cuttingTop(1) }
        var bottom: Rect
        if size.height > 3 {
            // A quarter of the screen at most: the contents matter more.
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

    /// A line between the parts of the page, which says how many lines lie behind it.
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

    /// Draws the contents; how many lines did not fit above and below.
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
            // Rows leave their first column free for the mark, which also shows where nothing can be reversed.
            if index == selection { canvas.draw(">", in: rect.line(index - first), style: .reversed) }
        }
        return (first, max(0, lines.count - first - rect.height))
    }

    /// The first line to show: the top for the first line that can be marked, the end for the last, and in proportion
    /// between.
    func firstVisible(height: Int) -> Int {
        let hidden = lines.count - height
        guard let selection, hidden > 0 else { return 0 }
        let step = selection - selectable.lowerBound
        let first = hidden * step / max(1, selectable.count - 1)
        return min(max(first, selection - height + 1), selection)
    }
}

/// A small wheel that turns with the time.
enum Spinner {
    private static let phases = ["|", "/", "-", "\\"]

    /// How long one phase lasts.
    static let interval = Duration.milliseconds(100)

    static func text(at time: Duration) -> String {
        let phase = Int(time / interval)
        return phases[abs(phase % phases.count)] + " loading"
    }
}

extension [String] {
    /// Sets the pieces side by side, two spaces apart, in at most so many lines; what does not fit then is cut.
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
