import Baton

/// A component that a ``ComponentTester`` draws.
public final class TestedComponent<Frame> {
    /// The last frame.
    public private(set) var frame: Frame
    /// How often the component was drawn.
    public private(set) var drawCount = 1
    private let name: String?
    private let body: () -> Frame
    private let log: FrameLog
    private let environment: RelayEnvironment
    private var changed: TrackedChange
    /// The frames of components that are drawn inside this one.
    private var inner: Set<Int>

    init(_ name: String?, in environment: RelayEnvironment, _ log: FrameLog, _ body: @escaping () -> Frame) {
        self.name = name
        self.body = body
        self.log = log
        self.environment = environment
        let last = log.lastFrame
        let first = environment.track(label: name, after: nil, body)
        (frame, changed) = first
        inner = log.frames(after: last).subtracting([first.changed.frameNumber])
    }
}

/// A component of any frames.
protocol Redrawable: AnyObject {
    /// Draws the component if it is out of date, or if one inside it is. Returns false if nothing is.
    func redraw() -> Bool
}

extension TestedComponent: Redrawable {
    func redraw() -> Bool {
        let isStale = changed.hasChanged
        guard isStale || log.hasStale(of: inner) else { return false }
        if !isStale { log.passThrough(changed.frameNumber) }
        let last = log.lastFrame
        (frame, changed) = environment.track(label: name, after: changed, body)
        if isStale { drawCount += 1 }
        inner = log.shown(of: inner).union(log.frames(after: last)).subtracting([changed.frameNumber])
        return true
    }
}
