extension Element {
    /// The element with another one before its middle, if there is one. The element behind is faint, and gets neither
    /// keys nor the mouse.
    ///
    ///     panes.overlay(window) { window = nil }
    ///
    /// - Parameter close: takes the other one away. It runs after a click beside it, and for escape, control-G and `q`,
    ///   unless the other one takes the key.
    public func overlay(_ top: (any Element)?, close: (@MainActor () -> Void)? = nil) -> some Element {
        Overlay(self, top, close: close)
    }
}

/// An element with another one before it.
private struct Overlay: Element {
    private let base: any Element
    private let top: (any Element)?
    private let close: (@MainActor () -> Void)?

    init(_ base: any Element, _ top: (any Element)?, close: (@MainActor () -> Void)?) {
        self.base = base
        self.top = top
        self.close = close
    }

    func size(within limits: Size, of frame: Frame) -> Size { base.size(within: limits, of: frame) }
    func flexibility(of frame: Frame) -> Flexibility { base.flexibility(of: frame) }

    func draw(in rect: Rect, of frame: Frame) {
        guard let top else { return base.draw(in: rect, of: frame) }
        frame.withoutInput { base.draw(in: rect, of: frame) }
        frame.canvas.restyle(rect) { style in
            style = Style(foreground: style.foreground == nil ? nil : .brightBlack, isDim: true)
        }
        let place = rect.centered(top.size(within: rect.size, of: frame))
        frame.canvas.clear(place)
        top.draw(in: place, of: frame)
        guard let close else { return }
        frame.onKey { key in
            guard [.escape, .control("g"), .character("q")].contains(key) else { return false }
            close()
            return true
        }
        // What stands around both does not take it: a person who clicks there wants to see it without the window.
        frame.onMouse(in: Rect(frame.canvas.size)) { event in
            guard case .press = event.action, !place.contains(column: event.column, row: event.row) else {
                return false
            }
            close()
            return true
        }
    }
}
