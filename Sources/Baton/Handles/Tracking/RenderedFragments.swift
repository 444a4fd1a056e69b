/// The rows of a list, each of which draws itself again (``RenderedFragment``).
///
///     var rows = RenderedFragments<FilmRow_film, Int, String> { film, width in ... }
///
///     func draw() {
///         rows.show(films.get().data?.films.map(\.fragments.filmRow_film) ?? [], in: environment)
///         show(rows.frames(80, on: self) { $0.draw() })
///     }
///
/// ### Behavior
///
/// - A row stays while its reference is in the list, also at another place.
/// - A reference that is in the list twice has two rows.
public struct RenderedFragments<Fragment: GraphQLFragment, Input: Equatable, Frame> {
    /// The row of one fragment.
    public typealias Row = RenderedFragment<Fragment, Input, Frame>

    /// The rows in the order of the references.
    public private(set) var rows: [Row] = []
    private let render: Row.Render

    /// Makes an empty list whose rows are drawn by this function.
    public init(_ render: @escaping Row.Render) { self.render = render }

    /// Makes rows for new references, and drops the rows whose references are gone. Takes time linear in the
    /// references.
    public mutating func show(_ references: [FragmentReference<Fragment>], in environment: RelayEnvironment) {
        guard !rows.lazy.map(\.reference).elementsEqual(references) else { return }
        // Each array is in reverse order, so that equal references take their rows in the old order.
        var old = Dictionary(grouping: rows.reversed(), by: \.reference)
        rows = references.map { reference in
            old[reference]?.popLast() ?? Row(reference, in: environment, render: render)
        }
    }

    /// Returns the current frame of each row, as ``RenderedFragment/frame(_:on:changed:)-(_,Target,_)`` does.
    public func frames<Target: Actor>(
        _ input: Input, on target: Target, changed body: @escaping @Sendable (isolated Target) -> Void
    ) -> [Frame] {
        rows.map { $0.frame(input, on: target, changed: body) }
    }

    /// Returns the current frame of each row; `changed` runs on the main actor.
    public func frames(
        _ input: Input, on main: MainActor, changed body: @escaping @MainActor @Sendable () -> Void
    ) -> [Frame] {
        rows.map { $0.frame(input, on: main, changed: body) }
    }
}
