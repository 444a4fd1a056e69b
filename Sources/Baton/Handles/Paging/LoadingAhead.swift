/// The elements of a list whose next page is loaded when an element near the end is accessed.
///
/// ``FragmentHandle/loadingAhead(_:distance:count:)`` makes it. An access costs the same as in the list itself, and a
/// little more for the last elements.
///
/// ### Behavior
///
/// - A look at one of the last elements loads the next page, and a failure is not repeated in every frame.
public struct LoadingAhead<Base: RandomAccessCollection & Sendable>: RandomAccessCollection, Sendable
where Base.Index: Sendable {
    private let base: Base
    private let distance: Int
    private let load: @Sendable () -> Void

    init(_ base: Base, distance: Int, load: @escaping @Sendable () -> Void) {
        self.base = base
        self.distance = distance
        self.load = load
    }

    public var startIndex: Base.Index { base.startIndex }
    public var endIndex: Base.Index { base.endIndex }

    /// Returns the element at a position, which must be in range. Begins to load the next page if the position is near
    /// the end.
    public subscript(position: Base.Index) -> Base.Element {
        if base.distance(from: position, to: base.endIndex) <= distance { load() }
        return base[position]
    }

    public func index(after index: Base.Index) -> Base.Index { base.index(after: index) }
    public func index(before index: Base.Index) -> Base.Index { base.index(before: index) }
    public func index(_ index: Base.Index, offsetBy distance: Int) -> Base.Index {
        base.index(index, offsetBy: distance)
    }
    public func distance(from start: Base.Index, to end: Base.Index) -> Int { base.distance(from: start, to: end) }
}
