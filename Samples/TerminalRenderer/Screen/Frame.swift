/// One frame while it is drawn: its cells, and what takes input once it is shown.
@MainActor
public final class Frame {
    /// The cells.
    public var canvas: Canvas
    /// The time since the screen began, which drives what moves.
    public let time: Duration
    /// The styles that elements share.
    public let theme: Theme
    /// The colours that the terminal has.
    public let colorMode: ColorMode
    /// The components of the screen.
    let components: ComponentCache
    /// The time after which the frame is old although no data has changed.
    private(set) var lifetime: Duration?

    private(set) var keyActions: [@MainActor (Key) -> Bool] = []
    private(set) var pasteActions: [@MainActor (String) -> Bool] = []
    private(set) var mouseAreas: [(rect: Rect, action: @MainActor (MouseEvent) -> Bool)] = []

    init(size: Size, time: Duration, theme: Theme, colorMode: ColorMode, components: ComponentCache) {
        canvas = Canvas(size: size)
        self.time = time
        self.theme = theme
        self.colorMode = colorMode
        self.components = components
    }

    /// Asks for another frame after a time, for an element that moves.
    public func wakeUp(after time: Duration) { lifetime = min(lifetime ?? time, time) }

    /// Adds an action for keys. Actions that were added earlier are asked first, so that of an element that is drawn
    /// inside another comes before that of the other.
    public func onKey(_ action: @escaping @MainActor (Key) -> Bool) { keyActions.append(action) }

    /// Adds an action for texts that are pasted.
    public func onPaste(_ action: @escaping @MainActor (String) -> Bool) { pasteActions.append(action) }

    /// Adds an action for the mouse in a rectangle.
    public func onMouse(in rect: Rect, _ action: @escaping @MainActor (MouseEvent) -> Bool) {
        mouseAreas.append((rect.intersection(canvas.clip), action))
    }

    /// Draws something that gets no input, and no cursor.
    public func withoutInput(_ draw: () -> Void) {
        let before = (keyActions, pasteActions, mouseAreas)
        draw()
        (keyActions, pasteActions, mouseAreas) = before
        canvas.removeCursor()
    }

    /// The style of a selected row. Where the terminal has few colours, that is a reversed one.
    func selectionStyle(isFocused: Bool) -> Style {
        let style = isFocused ? theme.selection : theme.fadedSelection
        let isColored = colorMode == .extended || colorMode == .trueColor
        if isColored || style.background == nil { return style }
        return isFocused ? .reversed : .bold
    }
}
