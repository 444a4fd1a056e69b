/// Empty cells.
public struct Spacer: Element, Hashable {
    private let length: Int?
    private let isVertical: Bool

    /// Takes what the other elements of a row leave over.
    public init() { (length, isVertical) = (nil, false) }

    /// Takes what the other elements of a column leave over.
    public static var vertical: Spacer { Spacer(length: nil, isVertical: true) }

    /// Takes a number of rows of a column.
    public static func rows(_ count: Int) -> Spacer { Spacer(length: count, isVertical: true) }

    /// Takes a number of columns of a row.
    public static func columns(_ count: Int) -> Spacer { Spacer(length: count, isVertical: false) }

    private init(length: Int?, isVertical: Bool) { (self.length, self.isVertical) = (length, isVertical) }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let length = length ?? 0
        return Size(
            width: isVertical ? 0 : min(limits.width, length), height: isVertical ? min(limits.height, length) : 0)
    }

    public func draw(in rect: Rect, of frame: Frame) {}

    public func flexibility(of frame: Frame) -> Flexibility {
        let share = length == nil ? 1 : 0
        return Flexibility(width: isVertical ? 0 : share, height: isVertical ? share : 0)
    }
}
