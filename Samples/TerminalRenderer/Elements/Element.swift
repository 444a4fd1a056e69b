/// A part of a frame: a value that says how large it would like to be, and draws itself into a rectangle.
///
/// The elements of this library are structures made of others. An element of your own implements the same functions.
///
///     Column {
///         Text("Films", .bold)
///         List(films, state) { film, row in Text(film.title) }
///     }
///     .padding(1)
public protocol Element: Sendable {
    /// The size that the element takes if it can choose, at most the limits. Text that wraps is higher in fewer
    /// columns.
    @MainActor func size(within limits: Size, of frame: Frame) -> Size

    /// Draws the element. A rectangle that is too small cuts it off.
    @MainActor func draw(in rect: Rect, of frame: Frame)

    /// Whether the element takes what others leave over.
    @MainActor func flexibility(of frame: Frame) -> Flexibility
}

extension Element {
    /// An element keeps to its size unless it says otherwise.
    @MainActor public func flexibility(of frame: Frame) -> Flexibility { .fixed }
}

/// The shares that an element takes of what its neighbours leave over; 0 is none.
public struct Flexibility: Hashable, Sendable {
    /// The share of columns, among the elements of a row.
    public var width: Int
    /// The share of rows, among the elements of a column.
    public var height: Int

    /// Makes shares.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// An element that keeps to its size.
    public static let fixed = Flexibility(width: 0, height: 0)
    /// An element that fills what is there.
    public static let filling = Flexibility(width: 1, height: 1)

    /// The greatest shares of some elements.
    static func greatest(of shares: some Sequence<Flexibility>) -> Flexibility {
        shares.reduce(.fixed) { Flexibility(width: max($0.width, $1.width), height: max($0.height, $1.height)) }
    }
}
