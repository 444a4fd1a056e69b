/// A component that is its fragment and its render function: it keeps the frame that the function has drawn, and draws
/// it again only after the fragment's data or the input has changed.
///
///     let row = RenderedFragment(film, in: environment) { film, width in
///         String((film.data?.title ?? "...").prefix(width))
///     }
///
///     func draw() { show(row.frame(80, on: self) { $0.draw() }) }
///
/// The input is what a frame depends on besides the data: a width, or whether the row is selected. The row belongs to
/// the actor that draws it. In a frame that is tracked around it (``RelayEnvironment/track(_:)``) it is tracked by
/// itself, so its data does not draw the outer frame again. ``RenderedFragments`` are the rows of a list.
///
/// ### Behavior
///
/// - A row returns the frame that it has until its data or its input has changed.
/// - The actor is told once of a change, until the row is drawn again.
/// - A change of another row tells nothing of this one.
/// - What a row has read does not change the frame around it.
/// - After the end of the row the actor is told nothing.
public final class RenderedFragment<Fragment: GraphQLFragment, Input: Equatable, Frame> {
    /// Draws a frame from the state of the fragment.
    public typealias Render = (_ result: QueryResult<Fragment.Data>, _ input: Input) -> Frame

    /// The reference that the row was made with.
    public let reference: FragmentReference<Fragment>
    /// The handle that the row reads.
    public let handle: FragmentHandle<Fragment>
    private let environment: RelayEnvironment
    private let render: Render
    private var last: (input: Input, frame: Frame, changed: TrackedChange)?

    /// Makes a row, which draws nothing before its first frame is asked for.
    public init(
        _ reference: FragmentReference<Fragment>, in environment: RelayEnvironment, render: @escaping Render
    ) {
        self.reference = reference
        self.environment = environment
        self.render = render
        handle = FragmentHandle(reference, in: environment)
    }

    /// Returns the current frame: the one that the row has, or one that is drawn now. After a frame is drawn, `changed`
    /// runs on the actor as soon as something changes that the frame has read. The actor is held weakly.
    public func frame<Target: Actor>(
        _ input: Input, on target: Target, changed body: @escaping @Sendable (isolated Target) -> Void
    ) -> Frame {
        if let last, last.input == input, !last.changed.hasChanged { return last.frame }
        let changed = TrackedChange(Tracker(), in: environment)
        let frame = changed.record { render(handle.get(), input) }
        last = (input, frame, changed)
        changed.deliver(on: target, body)
        return frame
    }
}
