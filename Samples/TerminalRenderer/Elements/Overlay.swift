extension Element {
    /// The element with another one before its middle, if there is one. The element behind is faint, and gets neither
    /// keys nor the mouse.
    public func overlay(_ top: (any Element)?) -> some Element { Overlay(self, top) }
}

/// An element with another one before it.
private struct Overlay: Element {
    private let base: any Element
    private let top: (any Element)?

    init(_ base: any Element, _ top: (any Element)?) {
        self.base = base
        self.top = top
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
    }
}
