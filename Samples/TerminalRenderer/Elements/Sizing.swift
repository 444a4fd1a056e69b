extension Element {
    /// The element in this number of columns, and of rows; nil leaves the element's own choice.
    public func frame(width: Int? = nil, height: Int? = nil) -> some Element {
        Sized(self, width: width, height: height)
    }

    /// The element with at most this number of columns, and of rows.
    public func limited(width: Int = .max, height: Int = .max) -> some Element {
        Limited(self, Size(width: width, height: height))
    }

    /// The element as one that takes a share of what its neighbours in a row and in a column leave over.
    public func filling(width: Int = 1, height: Int = 1) -> some Element {
        Flexible(self, Flexibility(width: width, height: height))
    }

    /// The element with empty cells around it.
    public func padding(_ cells: Int) -> some Element { padding(horizontal: cells, vertical: cells) }

    /// The element with empty columns at its sides, and empty rows above and below.
    public func padding(horizontal: Int = 0, vertical: Int = 0) -> some Element {
        Padded(self, horizontal: horizontal, vertical: vertical)
    }

    /// The element on a background, in a style that fills its whole rectangle.
    public func background(_ color: Color?) -> some Element {
        Restyled(self) { if $0.background == nil { $0.background = color } }
    }

    /// The element with each style changed.
    public func restyled(_ change: @escaping @Sendable (inout Style) -> Void) -> some Element {
        Restyled(self, change)
    }
}

/// An element of a given size.
private struct Sized: Element {
    private let element: any Element
    private let width: Int?
    private let height: Int?

    init(_ element: any Element, width: Int?, height: Int?) {
        self.element = element
        self.width = width
        self.height = height
    }

    func size(within limits: Size, of frame: Frame) -> Size {
        let inner = Size(width: min(limits.width, width ?? .max), height: min(limits.height, height ?? .max))
        if let width, let height { return inner.width == width && inner.height == height ? inner : inner }
        let own = element.size(within: inner, of: frame)
        return Size(
            width: width == nil ? own.width : inner.width, height: height == nil ? own.height : inner.height)
    }

    func draw(in rect: Rect, of frame: Frame) { element.draw(in: rect, of: frame) }

    func flexibility(of frame: Frame) -> Flexibility {
        let own = element.flexibility(of: frame)
        return Flexibility(width: width == nil ? own.width : 0, height: height == nil ? own.height : 0)
    }
}

/// An element that is not larger than a size.
private struct Limited: Element {
    private let element: any Element
    private let limit: Size

    init(_ element: any Element, _ limit: Size) {
        self.element = element
        self.limit = limit
    }

    private func inner(_ limits: Size) -> Size {
        Size(width: min(limits.width, limit.width), height: min(limits.height, limit.height))
    }

    func size(within limits: Size, of frame: Frame) -> Size { element.size(within: inner(limits), of: frame) }

    func draw(in rect: Rect, of frame: Frame) {
        let size = inner(rect.size)
        element.draw(
            in: Rect(column: rect.column, row: rect.row, width: size.width, height: size.height), of: frame)
    }
}

/// An element that takes a share of what is left over.
private struct Flexible: Element {
    private let element: any Element
    private let shares: Flexibility

    init(_ element: any Element, _ shares: Flexibility) {
        self.element = element
        self.shares = shares
    }

    func size(within limits: Size, of frame: Frame) -> Size { element.size(within: limits, of: frame) }
    func draw(in rect: Rect, of frame: Frame) { element.draw(in: rect, of: frame) }
    func flexibility(of frame: Frame) -> Flexibility { shares }
}

/// An element with empty cells around it.
private struct Padded: Element {
    private let element: any Element
    private let horizontal: Int
    private let vertical: Int

    init(_ element: any Element, horizontal: Int, vertical: Int) {
        self.element = element
        self.horizontal = max(0, horizontal)
        self.vertical = max(0, vertical)
    }

    func size(within limits: Size, of frame: Frame) -> Size {
        let inner = element.size(
            within: Size(width: limits.width - 2 * horizontal, height: limits.height - 2 * vertical), of: frame)
        return Size(
            width: min(limits.width, inner.width + 2 * horizontal),
            height: min(limits.height, inner.height + 2 * vertical))
    }

    func draw(in rect: Rect, of frame: Frame) {
        element.draw(in: rect.inset(horizontal: horizontal, vertical: vertical), of: frame)
    }

    func flexibility(of frame: Frame) -> Flexibility { element.flexibility(of: frame) }
}

/// An element whose cells get another style after it is drawn.
private struct Restyled: Element {
    private let element: any Element
    private let change: @Sendable (inout Style) -> Void

    init(_ element: any Element, _ change: @escaping @Sendable (inout Style) -> Void) {
        self.element = element
        self.change = change
    }

    func size(within limits: Size, of frame: Frame) -> Size { element.size(within: limits, of: frame) }

    func draw(in rect: Rect, of frame: Frame) {
        element.draw(in: rect, of: frame)
        frame.canvas.restyle(rect, change)
    }

    func flexibility(of frame: Frame) -> Flexibility { element.flexibility(of: frame) }
}
