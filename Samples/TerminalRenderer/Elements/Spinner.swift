/// A sign that something is under way, which turns with time.
public struct Spinner: Element, Hashable {
    private static let phases = Array(
        "\u{280B}\u{2819}\u{2839}\u{2838}\u{283C}\u{2834}\u{2826}\u{2827}\u{2807}\u{280F}")
    private static let interval = Duration.milliseconds(100)

    private let style: Style?

    /// Makes a spinner; without a style, in the accent of the theme.
    public init(_ style: Style? = nil) { self.style = style }

    public func size(within limits: Size, of frame: Frame) -> Size {
        Size(width: min(1, limits.width), height: min(1, limits.height))
    }

    public func draw(in rect: Rect, of frame: Frame) {
        frame.wakeUp(after: Self.interval)
        let phase = Int(frame.time / Self.interval) % Self.phases.count
        frame.canvas.draw(String(Self.phases[abs(phase)]), in: rect, style: style ?? frame.theme.accent)
    }
}
