/// A component that consists of a render function. It keeps the frame that the function has drawn, and draws it again
/// only after the input or something that the function has read has changed.
///
///     let header = RenderedComponent<Int, String>(in: environment) { width in
///         String((films.get(first: 20).data?.title ?? "...").prefix(width))
///     }
///
///     func draw() { show(header.frame(80, on: self) { $0.draw() }) }
///
/// The input is the part of a frame that comes from no handle: a width, or a number that counts the keys so far. The
/// component belongs to the actor that draws it. It is tracked by itself, even inside a tracked frame
/// (``RelayEnvironment/track(_:)``). A ``RenderedFragment`` is such a component of one fragment.
///
/// ### Behavior
///
/// - A component returns the frame that it has until what it has read or its input has changed.
/// - The actor is told once of a change, until the component is drawn again.
/// - A change that is drawn before the actor was told of it counts as delivered in the log.
/// - After the end of the component the actor is told nothing.
public final class RenderedComponent<Input: Equatable, Frame> {
    private let environment: RelayEnvironment
    /// The name of the component, for those who watch frames.
    private let label: String?
    private let render: (Input) -> Frame
    private var last: (input: Input, frame: Frame, changed: TrackedChange)?

    /// Makes a component. The first call of `frame` draws it.
    public convenience init(in environment: RelayEnvironment, render: @escaping (Input) -> Frame) {
        self.init(in: environment, label: nil, render: render)
    }

    /// Makes a component with a name for tests, which otherwise call it by what it reads.
    package init(in environment: RelayEnvironment, label: String?, render: @escaping (Input) -> Frame) {
        self.environment = environment
        self.label = label
        self.render = render
    }

    /// Returns the current frame: the kept frame, or one that is drawn now. After a frame is drawn, `changed` runs on
    /// the actor as soon as something changes that the frame has read. The actor is held weakly.
    public func frame<Target: Actor>(
        _ input: Input, on target: Target, changed body: @escaping @Sendable (isolated Target) -> Void
    ) -> Frame {
        if let frame = keptFrame(input) { return frame }
        let (frame, changed) = draw(input)
        changed.deliver(on: target, body)
        return frame
    }

    /// Returns the current frame; `changed` runs on the main actor.
    public func frame(
        _ input: Input, on main: MainActor, changed body: @escaping @MainActor @Sendable () -> Void
    ) -> Frame {
        if let frame = keptFrame(input) { return frame }
        let (frame, changed) = draw(input)
        changed.deliver(on: main, body)
        return frame
    }

    /// The frame that is kept, if it is still right.
    private func keptFrame(_ input: Input) -> Frame? {
        guard let last, last.input == input, !last.changed.hasChanged else { return nil }
        return last.frame
    }

    private func draw(_ input: Input) -> (Frame, TrackedChange) {
        last?.changed.take()
        let changed = TrackedChange(Tracker(), in: environment)
        let hasOtherInput = last.map { $0.input != input } ?? false
        let origin = FrameOrigin(label: label, previous: last?.changed.frameNumber, hasOtherInput: hasOtherInput)
        let frame = changed.record(as: origin) { render(input) }
        last = (input, frame, changed)
        return (frame, changed)
    }
}
