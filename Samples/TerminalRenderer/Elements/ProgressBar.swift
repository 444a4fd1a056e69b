/// A bar that is filled from the left, in eighths of a column.
public struct ProgressBar: Element, Hashable {
    private let fraction: Double
    private let style: Style?

    /// Makes a bar; less than 0 counts as 0, and more than 1 as 1. Without a style it has the accent of the theme.
    public init(_ fraction: Double, _ style: Style? = nil) {
        self.fraction = fraction.isFinite ? max(0, min(1, fraction)) : 0
        self.style = style
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        Size(width: min(10, limits.width), height: min(1, limits.height))
    }

    public func draw(in rect: Rect, of frame: Frame) {
        let style = style ?? frame.theme.accent
        let eighths = Int((fraction * Double(rect.width * 8)).rounded())
        let (full, part) = (eighths / 8, eighths % 8)
        var bar = String(repeating: "\u{2588}", count: full)
        if part > 0, let block = Unicode.Scalar(0x2590 - UInt32(part)) { bar.unicodeScalars.append(block) }
        let rest = frame.canvas.draw(bar, in: rect, style: style)
        frame.canvas.draw(String(repeating: "\u{2500}", count: rest.width), in: rest, style: frame.theme.hint)
    }

    public func flexibility(of frame: Frame) -> Flexibility { Flexibility(width: 1, height: 0) }
}
