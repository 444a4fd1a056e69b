/// An element that is made anew for each frame, for what no handle tells of, such as the time.
public struct Live: Element {
    private let make: @MainActor (Frame) -> any Element

    /// Makes an element by this function.
    public init(_ make: @escaping @MainActor (Frame) -> any Element) { self.make = make }

    public func size(within limits: Size, of frame: Frame) -> Size { make(frame).size(within: limits, of: frame) }
    public func draw(in rect: Rect, of frame: Frame) { make(frame).draw(in: rect, of: frame) }
    public func flexibility(of frame: Frame) -> Flexibility { make(frame).flexibility(of: frame) }
}

/// An element that depends on the size of its rectangle.
public struct Sizing: Element {
    private let make: @MainActor (Size) -> any Element

    /// Makes an element by this function. Among others in a row or a column, it fills what is left over.
    public init(@ElementBuilder _ make: @escaping @MainActor (Size) -> any Element) { self.make = make }

    public func size(within limits: Size, of frame: Frame) -> Size { make(limits).size(within: limits, of: frame) }
    public func draw(in rect: Rect, of frame: Frame) { make(rect.size).draw(in: rect, of: frame) }
    public func flexibility(of frame: Frame) -> Flexibility { .filling }
}
