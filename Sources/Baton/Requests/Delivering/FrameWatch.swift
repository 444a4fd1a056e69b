import Synchronization

/// Those who are told of every frame that is drawn in an environment: the kit for tests.
///
/// State: guarded by a lock of its own, a leaf, and an atomic copy of the number of watchers. Without watchers a frame
/// costs one relaxed load.
package final class FrameWatch: Sendable {
    private struct State {
        var watchers: [Int: Hook<DrawnFrame>] = [:]
        var lastWatcher = 0
        var lastFrame = 0
    }

    private let state = Guarded(State())
    private let count = Atomic(0)

    init() {}

    /// True if somebody is told of frames.
    var isOn: Bool { count.load(ordering: .relaxed) > 0 }

    /// Calls a closure after each frame that is drawn from now on, on the thread that has drawn it. Returns a number
    /// for `remove`.
    package func add(_ body: @escaping @Sendable (DrawnFrame) -> Void) -> Int {
        state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = Hook(body)
            count.store(state.watchers.count, ordering: .relaxed)
            return state.lastWatcher
        }
    }

    /// Tells a watcher of no further frame.
    package func remove(_ number: Int) {
        let watcher = state.withLock { state in
            defer { count.store(state.watchers.count, ordering: .relaxed) }
            return state.watchers.removeValue(forKey: number)
        }
        withExtendedLifetime(watcher) {}
    }

    /// Returns the number of a new frame; numbers begin with 1.
    func nextFrame() -> Int {
        state.withLock { state in
            state.lastFrame += 1
            return state.lastFrame
        }
    }

    func note(_ frame: DrawnFrame) {
        let watchers = state.withLock { $0.watchers.values.map { $0 } }
        for watcher in watchers { watcher.body(frame) }
    }
}

/// A frame that was drawn, with what it has read. Frames inside it are frames of their own.
package struct DrawnFrame: Sendable {
    /// A handle that a frame has read.
    package struct Read: Sendable, Hashable {
        /// The handle. Another handle may have the same identity after its end.
        package let handle: ObjectIdentifier
        /// The name of the operation or fragment.
        package let component: String
        /// The record of a fragment; nil for other handles.
        package let subject: DataID?
        /// What the handle shows: `loading`, `data`, `nothing`, or the description of an error.
        package let state: String
        /// Grows with every change of what the handle shows, and of its status.
        package let revision: Int
        /// The fields of each record that the result shows. Fields of fragments that it spreads are not among them.
        package let fields: [DataID: Set<StorageKey>]
    }

    /// The number of the frame, from 1.
    package let number: Int
    /// The name of the component, if it has one of its own.
    package let label: String?
    /// The number of the frame in whose place this one is shown; nil if there is none, or if it was not watched.
    package let previous: Int?
    /// True if the component was drawn with another input than before.
    package let hasOtherInput: Bool
    /// The handles, in the order in which they were read first.
    package let reads: [Read]
    /// True once something has changed that the frame has read; nil if nobody shows the frame any more.
    let hasChanged: @Sendable () -> Bool?

    /// True if something has changed that the frame has read, and the frame is shown still.
    package var isStale: Bool { hasChanged() ?? false }

    /// True if nobody shows the frame any more.
    package var isGone: Bool { hasChanged() == nil }
}
