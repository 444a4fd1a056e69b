import Synchronization

/// The time during which a frame is drawn. Handles that are read during this time register at the frame's tracker.
///
/// Tasks that are started meanwhile inherit the recording, which takes no reads once the frame is drawn, and refers to
/// no tracker once the frame is shown no more. Tasks that run observers do not inherit it.
final class Recording: Sendable {
    /// The recording of the innermost frame that the current task draws.
    @TaskLocal private static var local: Recording?
    /// The number of frames that are being drawn. The lookup of a task-local value costs more than most reads
    /// (benchmark `get`).
    private static let count = Atomic(0)

    private enum State {
        case drawing(Tracker)
        /// The frame is drawn, and shown.
        case drawn(Tracker)
        case over
    }

    private let state: Guarded<State>

    private init(_ tracker: Tracker) {
        state = Guarded(.drawing(tracker))
    }

    /// The recording of the innermost frame that the current task draws; nil outside of frames.
    @inline(__always)
    static var current: Recording? {
        count.load(ordering: .relaxed) == 0 ? nil : local
    }

    /// Notes that a property of a handle is read.
    @inline(__always)
    static func note(_ source: @autoclosure () -> some ReadingSource) {
        guard let current else { return }
        _ = current.read(source())
    }

    /// Returns the newest state of a handle, and notes that it was read.
    func read(_ source: some ReadingSource) -> Reading {
        let reading = source.reading()
        // The tracker compares the revisions again once it listens.
        open?.note(source, reading.revision)
        return reading
    }

    /// The frame that the current task draws, or that was drawn by the task that has begun it; nil if it is shown no
    /// more.
    static var frameOfTask: Tracker? {
        local?.state.withLock { state in
            switch state {
            case .drawing(let tracker), .drawn(let tracker): tracker
            case .over: nil
            }
        }
    }

    /// The tracker of the frame; nil once the frame is drawn.
    var open: Tracker? {
        state.withLock { if case .drawing(let tracker) = $0 { tracker } else { nil } }
    }

    /// Runs a body that draws a frame.
    static func record<Frame>(for tracker: Tracker, _ render: () throws -> Frame) rethrows -> Frame {
        let recording = Recording(tracker)
        count.add(1, ordering: .relaxed)
        defer { recording.end() }
        return try $local.withValue(recording, operation: render)
    }

    /// Runs a body that draws a frame.
    static func record<Frame>(
        for tracker: Tracker, isolation: isolated (any Actor)?, _ render: () async throws -> Frame
    ) async rethrows -> Frame {
        let recording = Recording(tracker)
        count.add(1, ordering: .relaxed)
        defer { recording.end() }
        return try await $local.withValue(recording, operation: render)
    }

    /// Runs a body that belongs to no frame, although a frame that is being drawn has caused it.
    static func outside(_ body: () -> Void) {
        if current == nil { body() } else { $local.withValue(nil, operation: body) }
    }

    private func end() {
        Self.count.subtract(1, ordering: .relaxed)
        let tracker = state.withLock { state -> Tracker? in
            guard case .drawing(let tracker) = state else { return nil }
            state = .drawn(tracker)
            return tracker
        }
        tracker?.endRecording(self)
    }

    /// Forgets the frame, which is shown no more.
    func forget() {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        withExtendedLifetime(last) {}
    }
}
