/// Elements from left to right. Each has its own width, and flexible ones share the rest. All have the row's height.
public struct Row: Element {
    private let elements: [any Element]
    private let gap: Int

    /// Makes a row.
    ///
    /// - Parameter gap: the number of empty columns between two elements.
    public init(gap: Int = 0, @ElementsBuilder _ elements: () -> [any Element]) {
        self.init(elements(), gap: gap)
    }

    /// Makes a row of these elements.
    public init(_ elements: [any Element], gap: Int = 0) {
        self.elements = elements
        self.gap = gap
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let widths = widths(within: limits, of: frame)
        let sizes = zip(elements, widths).map {
            $0.size(within: Size(width: $1, height: limits.height), of: frame)
        }
        let used = Distribution.sum(of: widths, gap: gap)
        return Size(
            width: min(limits.width, used),
            height: sizes.map(\.height).max() ?? 0)
    }

    public func draw(in rect: Rect, of frame: Frame) {
        var rest = rect
        for (element, width) in zip(elements, widths(within: rect.size, of: frame)) {
            guard width > 0 else { continue }
            let (part, others) = rest.cuttingLeft(width)
            if !part.isEmpty { element.draw(in: part, of: frame) }
            rest = others.cuttingLeft(gap).rest
        }
    }

    public func flexibility(of frame: Frame) -> Flexibility {
        .greatest(of: elements.map { $0.flexibility(of: frame) })
    }

    @MainActor
    private func widths(within limits: Size, of frame: Frame) -> [Int] {
        Distribution.lengths(
            of: elements.map { $0.flexibility(of: frame).width }, within: limits.width, gap: gap
        ) { index, rest in
            elements[index].size(within: Size(width: rest, height: limits.height), of: frame).width
        }
    }
}

extension Element where Self == Row {
    /// A label of this number of columns, and a text that is wrapped in its own column.
    public static func labelled(_ label: Text, _ text: Text, width: Int) -> Row {
        Row {
            label.frame(width: width)
            text.wrapped.filling(height: 0)
        }
    }
}

/// Elements from top to bottom. Each has its own height, and flexible ones share the rest. All have the column's width.
public struct Column: Element {
    private let elements: [any Element]
    private let gap: Int

    /// Makes a column.
    ///
    /// - Parameter gap: the number of empty rows between two elements.
    public init(gap: Int = 0, @ElementsBuilder _ elements: () -> [any Element]) {
        self.init(elements(), gap: gap)
    }

    /// Makes a column of these elements.
    public init(_ elements: [any Element], gap: Int = 0) {
        self.elements = elements
        self.gap = gap
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let heights = heights(within: limits, of: frame)
        let width = elements.map { $0.size(within: limits, of: frame).width }.max() ?? 0
        let used = Distribution.sum(of: heights, gap: gap)
        return Size(width: width, height: min(limits.height, used))
    }

    public func draw(in rect: Rect, of frame: Frame) {
        var rest = rect
        for (element, height) in zip(elements, heights(within: rect.size, of: frame)) {
            guard height > 0 else { continue }
            let (part, others) = rest.cuttingTop(height)
            if !part.isEmpty { element.draw(in: part, of: frame) }
            rest = others.cuttingTop(gap).rest
        }
    }

    public func flexibility(of frame: Frame) -> Flexibility {
        .greatest(of: elements.map { $0.flexibility(of: frame) })
    }

    @MainActor
    private func heights(within limits: Size, of frame: Frame) -> [Int] {
        Distribution.lengths(
            of: elements.map { $0.flexibility(of: frame).height }, within: limits.height, gap: gap
        ) { index, rest in
            elements[index].size(within: Size(width: limits.width, height: rest), of: frame).height
        }
    }
}
