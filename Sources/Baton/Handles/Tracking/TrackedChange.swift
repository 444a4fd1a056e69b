import Synchronization

/// Delivers one notification when data changes that a frame has read.
///
///     func draw() {
///         let (frame, changed) = environment.track { render() }
///         show(frame)
///         self.changed = changed
///         changed.deliver(on: self) { $0.draw() }
///     }
///
/// The owner of a frame keeps the object as long as it shows the frame. Once the object is released, nothing is
/// observed any more. An object that is released unused is usually a mistake, since its frame is never drawn again; the
/// log gets ``LogEvent/changeDropped(_:)``.
///
/// ### Behavior
///
/// - A change is delivered once, on the actor of the caller's choice.
/// - A change between a read and the end of the frame is delivered too.
/// - A request that the frame itself begins is part of the frame, and no change of it.
/// - A change of data that the frame has not read delivers nothing.
/// - A notification that leaves the state as it was delivers nothing.
/// - A change of data that an inner frame has read does not change the outer frame.
/// - After the release of the object nothing is observed.
/// - A handle that is let go while a frame shows it lives on until the frame's object is released or cancelled.
/// - The log reports an object that is released unused although its frame has read data.
/// - A task that the frame starts is not part of it once the frame is drawn.
public final class TrackedChange: Sendable {
    private let tracker: Tracker
    private let environment: RelayEnvironment
    /// True once the owner has used the object, or if there is no frame.
    private let isUsed = Atomic(false)
    /// The number of the frame among those that were watched; 0 for none.
    private let number = Atomic(0)

    init(_ tracker: Tracker, in environment: RelayEnvironment) {
        self.tracker = tracker
        self.environment = environment
    }

    deinit {
        let component = isUsed.load(ordering: .relaxed) ? nil : tracker.firstComponent
        tracker.release()
        if let component { environment.emit(.changeDropped(LogEvent.DroppedChange(component: component))) }
    }

    /// Notes that the change has an owner who will wait for it, even if the owner ends before that.
    func noteUse() { isUsed.store(true, ordering: .relaxed) }

    /// Runs the body on an actor once read data has changed; soon, if it has changed already. The actor is held weakly.
    /// A second call replaces the first.
    public func deliver<Target: Actor>(
        on target: Target, _ body: @escaping @Sendable (isolated Target) -> Void
    ) {
        noteUse()
        let delivery = TrackedDelivery(tracker, body)
        tracker.listen { [weak target, weak environment, tracker] in
            guard let target, let environment else {
                tracker.end()
                return
            }
            environment.deliveries.schedule(delivery, on: target)
        } end: {
        }
    }

    /// Runs the body on the main actor once read data has changed; soon, if it has changed already.
    public func deliver(on main: MainActor, _ body: @escaping @MainActor @Sendable () -> Void) {
        deliver(on: main) { (_: isolated MainActor) in
            MainActor.assumeIsolated { body() }
        }
    }

    /// Returns true once read data has changed; false if the task is cancelled, or after another delivery or
    /// ``cancel()``.
    public func wait() async -> Bool {
        noteUse()
        let signal = Signal(environment.deliveries)
        tracker.listen {
            _ = signal.notify()
        } end: {
            signal.end()
        }
        while await signal.wait() {
            if tracker.settle() { return true }
        }
        return false
    }

    /// True once read data has changed since the frame was drawn, unless the observation was cancelled before.
    public var hasChanged: Bool {
        noteUse()
        return tracker.hasChanged
    }

    /// Reports a change as delivered that the owner has seen by itself, and ends the observation.
    func take() {
        noteUse()
        _ = tracker.settle()
        tracker.end()
    }

    /// Ends the observation. Nothing is delivered any more.
    public func cancel() {
        noteUse()
        tracker.release()
    }
}

/// The delivery of a frame's change to an actor.
private final class TrackedDelivery<Target: Actor>: Delivery {
    private let tracker: Tracker
    private let body: @Sendable (isolated Target) -> Void

    init(_ tracker: Tracker, _ body: @escaping @Sendable (isolated Target) -> Void) {
        self.tracker = tracker
        self.body = body
    }

    func deliver(on target: isolated Target) {
        if tracker.settle() { Recording.outside { body(target) } }
    }
}

extension TrackedChange {
    /// The number of the frame among those that were watched; 0 for none.
    package var frameNumber: Int { number.load(ordering: .relaxed) }

    func record<Frame>(as origin: FrameOrigin = FrameOrigin(), _ render: () throws -> Frame) rethrows -> Frame {
        do {
            let frame = try Recording.record(for: tracker, render)
            if environment.frameWatch.isOn { report(origin) }
            return frame
        } catch {
            noteUse()
            throw error
        }
    }

    func record<Frame>(
        isolation: isolated (any Actor)?, _ render: () async throws -> Frame
    ) async rethrows -> Frame {
        do {
            let frame = try await Recording.record(for: tracker, isolation: isolation, render)
            if environment.frameWatch.isOn { report(FrameOrigin()) }
            return frame
        } catch {
            noteUse()
            throw error
        }
    }

    /// Tells those who watch of the frame that was drawn.
    @inline(never)
    private func report(_ origin: FrameOrigin) {
        let next = environment.frameWatch.nextFrame()
        number.store(next, ordering: .relaxed)
        environment.frameWatch.note(DrawnFrame(next, origin, tracker))
    }
}
