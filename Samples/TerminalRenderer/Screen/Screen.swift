public import Baton
import Foundation

/// The screen of a program: its root component, its frames, and the input that they take.
///
///     let screen = Screen(environment) { screen in FilmList(in: screen) }
///     try await screen.run(in: Terminal())
///
/// Everything on a screen belongs to the main actor: components, frames and input. Changes of data are delivered there,
/// so that they and the keys are in order. A test draws frames and sends input itself (``canvas(size:)``,
/// ``receive(_:)``).
@MainActor
public final class Screen {
    /// The environment of the handles.
    public let environment: RelayEnvironment
    /// The styles that elements share.
    public var theme: Theme
    /// The colours that the terminal has.
    public let colorMode: ColorMode
    /// True once the program is over.
    public private(set) var isOver = false

    /// The number of keys, pasted texts and events of the mouse so far.
    public private(set) var inputs = 0

    let clock: any Clock<Duration>
    private let time: @Sendable () -> Duration
    private let redraws: AsyncStream<Void>
    private let redraw: AsyncStream<Void>.Continuation
    private var components: ComponentCache?
    private var root: (any Component)?
    private var frame: Frame?
    private var isStale = true
    private var sequences = ""

    /// Makes a screen.
    ///
    /// - Parameters:
    ///   - environment: the environment of the handles.
    ///   - theme: the styles that elements share.
    ///   - colorMode: the colours that the terminal has.
    ///   - clock: drives what moves.
    public init(
        _ environment: RelayEnvironment, theme: Theme = Theme(), colorMode: ColorMode = .sixteen,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.environment = environment
        self.theme = theme
        self.colorMode = colorMode
        self.clock = clock
        let start = clock.now
        time = { start.duration(to: clock.now) }
        (redraws, redraw) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        components = ComponentCache(in: environment) { [weak self] in self?.needsDisplay() }
    }

    /// Makes a screen, and the component that fills it.
    public convenience init(
        _ environment: RelayEnvironment, theme: Theme = Theme(), colorMode: ColorMode = .sixteen,
        clock: some Clock<Duration> = ContinuousClock(), root: (Screen) -> any Component
    ) {
        self.init(environment, theme: theme, colorMode: colorMode, clock: clock)
        show(root(self))
    }

    /// Fills the screen with a component. The screen keeps it.
    public func show(_ root: any Component) {
        self.root = root
        changed()
    }

    /// The requests for a frame; those that come before a frame is drawn are one.
    var displayRequests: AsyncStream<Void> { redraws }

    /// The number of frames so far.
    var frameNumber: Int { components?.frames ?? 0 }

    /// Calls a closure whenever a component is told that data has changed, and whenever a component is drawn.
    ///
    /// A component is told of several changes and drawn once if they come before the next frame. What the log calls
    /// ``LogEvent/delivered(_:)`` comes just before, on the main actor.
    public func onDrawing(_ body: @escaping @MainActor (Drawing) -> Void) { components?.onDrawing = body }

    /// Notes for ``onDrawing(_:)`` what happens to a component.
    func note(_ drawing: Drawing) { components?.onDrawing?(drawing) }

    /// A number that no other component of the screen has.
    func nextComponent() -> Int { components?.nextComponent() ?? 0 }

    /// Calls a closure at the end of each frame, until it returns false.
    func atEndOfFrame(_ ending: @escaping @MainActor (Int) -> Bool) { components?.atEndOfFrame(ending) }

    /// The time after which the last frame is old although no data has changed; nil if nothing moves.
    var lifetime: Duration? { frame?.lifetime }

    // MARK: - Output

    /// Asks for a frame, after a change that no handle tells of. May be called from any thread.
    public nonisolated func needsDisplay() {
        redraw.yield()
    }

    /// Asks for a frame after each element of a sequence, such as the statuses of a connection, until it ends.
    public func redraw<Changes: AsyncSequence & Sendable>(
        for changes: Changes, _ body: @escaping @MainActor (Changes.Element) -> Void = { _ in }
    ) where Changes.Element: Sendable {
        Task { [weak self] in
            do {
                for try await change in changes {
                    guard let self else { return }
                    body(change)
                    needsDisplay()
                }
            } catch {
                self?.needsDisplay()
            }
        }
    }

    /// Puts a text on the clipboard of the person's terminal (OSC 52), also over SSH. It is sent with the next frame. A
    /// terminal that does not allow it does nothing.
    public func copy(_ text: String) {
        sequences += "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}"
        needsDisplay()
    }

    /// Opens a page in the person's browser (``Browser``), and says if that fails.
    public func browse(_ url: String, failed: @escaping @MainActor (Browser.Failure) -> Void) {
        Task { do throws(Browser.Failure) { try await Browser.open(url) } catch { failed(error) } }
    }

    /// Takes what is to be written to the terminal besides frames. ``run(in:)`` does so before each frame.
    public func takeSequences() -> String {
        defer { sequences = "" }
        return sequences
    }

    /// Draws the current frame, and asks for data that it needs.
    public func canvas(size: Size) -> Canvas {
        guard let components, let root else { return Canvas(size: size) }
        components.beginFrame()
        let frame = Frame(
            size: size, time: time(), theme: theme, colorMode: colorMode, components: components)
        let content = components.content(of: root)
        content.draw(in: Rect(size), of: frame)
        components.endFrame()
        self.frame = frame
        isStale = false
        return frame.canvas
    }

    // MARK: - Input

    /// Gives an input to the elements of the current frame, the innermost first. Returns false if none has taken it.
    @discardableResult
    public func receive(_ input: InputEvent) -> Bool {
        // A key that comes before the frame after the last one would go to what is not there any more.
        if isStale, let size = frame?.canvas.size { _ = canvas(size: size) }
        guard let frame, let components else { return false }
        inputs += 1
        defer {
            isStale = true
            components.noteInput()
            needsDisplay()
        }
        switch input {
        case .key(let key): return frame.keyActions.contains { $0(key) }
        case .paste(let text): return frame.pasteActions.contains { $0(text) }
        case .mouse(let event):
            let areas = frame.mouseAreas.filter { $0.rect.contains(column: event.column, row: event.row) }
            return areas.contains { $0.action(event) }
        }
    }

    /// Asks every component again, after a change of what it keeps that is no answer to input, such as the end of a
    /// task.
    public func changed() {
        isStale = true
        components?.changed()
    }

    /// Ends the program.
    public func quit() {
        isOver = true
        needsDisplay()
    }
}
