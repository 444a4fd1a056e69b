/// The place to which a ``Scroll`` is scrolled. A component keeps it between frames.
@MainActor
public final class ScrollState {
    /// The number of lines above the top.
    public var offset = 0
    var height = 0
    var total = 0

    /// Makes a state at the top.
    public init() {}

    /// Scrolls by a key; returns false for other keys.
    public func press(_ key: Key) -> Bool {
        switch key {
        case .up, .character("k"): offset -= 1
        case .down, .character("j"): offset += 1
        case .pageUp, .control("b"): offset -= max(1, height - 1)
        case .pageDown, .control("f"), .character(" "): offset += max(1, height - 1)
        case .control("u"): offset -= max(1, height / 2)
        case .control("d"): offset += max(1, height / 2)
        case .home, .character("g"): offset = 0
        case .end, .character("G"): offset = total
        default: return false
        }
        offset = max(0, min(offset, total - height))
        return true
    }
}

/// An element that may be higher than its place, scrolled by lines.
public struct Scroll: Element {
    private let state: ScrollState
    private let isFocused: Bool
    private let focus: (@MainActor () -> Void)?
    private let content: any Element

    /// Makes a scrolled element.
    ///
    /// - Parameters:
    ///   - state: the place, which the component keeps.
    ///   - isFocused: whether the element takes keys.
    ///   - focus: runs when the person clicks at the element.
    ///   - content: what is scrolled.
    public init(
        _ state: ScrollState, isFocused: Bool = true, focus: (@MainActor () -> Void)? = nil,
        @ElementBuilder content: () -> any Element
    ) {
        self.state = state
        self.isFocused = isFocused
        self.focus = focus
        self.content = content()
    }

    public func size(within limits: Size, of frame: Frame) -> Size { content.size(within: limits, of: frame) }
    public func flexibility(of frame: Frame) -> Flexibility { .filling }

    public func draw(in rect: Rect, of frame: Frame) {
        let total = content.size(within: Size(width: rect.width, height: 1_000_000), of: frame).height
        (state.height, state.total) = (rect.height, total)
        state.offset = max(0, min(state.offset, total - rect.height))
        let clip = frame.canvas.clip
        defer { frame.canvas.clip = clip }
        frame.canvas.clip = clip.intersection(rect)
        let place = Rect(
            column: rect.column, row: rect.row - state.offset, width: rect.width, height: max(total, rect.height))
        frame.onMouse(in: rect) { event in
            switch event.action {
            case .wheelUp: state.offset -= 3
            case .wheelDown: state.offset += 3
            case .press: focus?()
            default: return false
            }
            return true
        }
        content.draw(in: place, of: frame)
        if isFocused { frame.onKey(state.press) }
    }
}
