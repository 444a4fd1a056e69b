extension Element {
    /// The element, with an action for keys. Elements inside are asked first; the action returns false for keys that it
    /// leaves to the elements around it. With `beforeInner` the action is asked before the elements inside, and returns
    /// false for keys that it leaves to them.
    public func onKey(
        when isActive: Bool = true, beforeInner: Bool = false, _ action: @escaping @MainActor (Key) -> Bool
    ) -> some Element {
        Interactive(self, isFirst: beforeInner) { _, frame in if isActive { frame.onKey(action) } }
    }

    /// The element, with an action for a press of the left button anywhere on it.
    public func onClick(_ action: @escaping @MainActor () -> Void) -> some Element {
        onMouse { event, _ in
            guard event.action == .press(button: 0) else { return false }
            action()
            return true
        }
    }

    /// The element, with an action for the mouse on it, which is told the rectangle of the element. The action returns
    /// false for events that it leaves to the elements around it.
    public func onMouse(_ action: @escaping @MainActor (MouseEvent, Rect) -> Bool) -> some Element {
        Interactive(self) { rect, frame in frame.onMouse(in: rect) { action($0, rect) } }
    }

    /// The element, with an action for texts that are pasted. Elements inside are asked first.
    public func onPaste(
        when isActive: Bool = true, _ action: @escaping @MainActor (String) -> Bool
    ) -> some Element {
        Interactive(self) { _, frame in if isActive { frame.onPaste(action) } }
    }
}

/// An element that takes input.
private struct Interactive: Element {
    private let element: any Element
    /// Whether the action is asked before those of the elements inside.
    private let isFirst: Bool
    private let register: @MainActor (Rect, Frame) -> Void

    init(_ element: any Element, isFirst: Bool = false, _ register: @escaping @MainActor (Rect, Frame) -> Void) {
        self.element = element
        self.isFirst = isFirst
        self.register = register
    }

    func size(within limits: Size, of frame: Frame) -> Size { element.size(within: limits, of: frame) }

    func draw(in rect: Rect, of frame: Frame) {
        // What is registered earlier is asked first.
        if isFirst { register(rect, frame) }
        element.draw(in: rect, of: frame)
        if !isFirst { register(rect, frame) }
    }

    func flexibility(of frame: Frame) -> Flexibility { element.flexibility(of: frame) }
}
