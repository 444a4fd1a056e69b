/// A component that consists of a fragment and a render function. It keeps the frame that the function has drawn, and
/// draws it again only after the fragment's data or the input has changed.
///
///     let row = RenderedFragment(film, in: environment) { film, width in
///         String((film.data?.title ?? "...").prefix(width))
///     }
///
///     func draw() { show(row.frame(80, on: self) { $0.draw() }) }
///
/// The input is the part of a frame that does not come from the data: a width, or whether the row is selected. The row
/// belongs to the actor that draws it. A row is tracked by itself, even inside a tracked frame
/// (``RelayEnvironment/track(_:)``), so a change of its data does not draw the outer frame again. ``RenderedFragments``
/// are the rows of a list. ``RenderedComponent`` is a component of other handles.
///
/// ### Behavior
///
/// - A row returns the frame that it has until its data or its input has changed.
/// - The actor is told once of a change, until the row is drawn again.
/// - A change of another row does not change this row.
/// - A change of data that a row has read does not change the frame around the row.
/// - After the end of the row the actor is told nothing.
public final class RenderedFragment<Fragment: GraphQLFragment, Input: Equatable, Frame> {
    /// Draws a frame from the state of the fragment.
    public typealias Render = (_ result: QueryResult<Fragment.Data>, _ input: Input) -> Frame

    /// The reference that the row was made with.
    public let reference: FragmentReference<Fragment>
    /// The handle that the row reads.
    public let handle: FragmentHandle<Fragment>
    private let component: RenderedComponent<Input, Frame>

    /// Makes a row. The first call of `frame` draws the row.
    public init(
        _ reference: FragmentReference<Fragment>, in environment: RelayEnvironment, render: @escaping Render
    ) {
        self.reference = reference
        let handle = FragmentHandle(reference, in: environment)
        self.handle = handle
        component = RenderedComponent(in: environment) { render(handle.get(), $0) }
    }

    /// Returns the current frame: the kept frame, or one that is drawn now. After a frame is drawn, `changed` runs on
    /// the actor as soon as data changes that the frame has read. The actor is held weakly.
    public func frame<Target: Actor>(
        _ input: Input, on target: Target, changed body: @escaping @Sendable (isolated Target) -> Void
    ) -> Frame {
        component.frame(input, on: target, changed: body)
    }

    /// Returns the current frame; `changed` runs on the main actor.
    public func frame(
        _ input: Input, on main: MainActor, changed body: @escaping @MainActor @Sendable () -> Void
    ) -> Frame {
        component.frame(input, on: main, changed: body)
    }
}
