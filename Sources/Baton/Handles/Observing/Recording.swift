import Synchronization

/// The time during which a frame is drawn. Handles that are read during this time register at the frame's tracker.
///
/// Tasks that are started meanwhile inherit the recording, which refers to no tracker once it has ended. Tasks that run
/// observers do not inherit it.
final class Recording: Sendable {
    /// The recording of the innermost frame that the current task draws.
    @TaskLocal private static var local: Recording?
    /// The number of frames that are being drawn. The lookup of a task-local value costs more than most reads
    /// (benchmark `get`).
    private static let count = Atomic(0)

    private let tracker: Guarded<Tracker?>

    private init(_ tracker: Tracker) {
        self.tracker = Guarded(tracker)
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
        tracker.withLock { $0 }?.note(source, reading.revision)
        return reading
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
        tracker.withLock { tracker -> Tracker? in
            defer { tracker = nil }
            return tracker
        }?.endRecording()
    }
}
