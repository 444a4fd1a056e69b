import Synchronization

/// The mutations that tasks have committed which tracked frames have begun.
///
/// A frame that commits in each drawing is drawn again by its own mutation. A task of a frame that waits for a user
/// commits too, but not in frame after frame.
///
/// State: guarded by a lock of its own, a leaf.
final class FrameCommits: Sendable {
    private struct Run {
        var frame: Int
        var time: Duration
        var count = 1
    }

    private let runs = Guarded<[String: Run]>([:])

    private static let limit = 4
    private static let pause = Duration.seconds(1)
    /// The greatest number of mutations that are looked at.
    private static let names = 1_000

    /// The number of frames that were told apart.
    private let lastFrame = Atomic(0)

    /// A number for a frame. The address of its tracker would be used again by a later one.
    func nextFrame() -> Int { lastFrame.add(1, ordering: .relaxed).newValue }

    /// Notes a commit; returns true if many frames, one soon after the other, have committed the mutation.
    func note(_ mutation: String, by frame: Int, at time: Duration) -> Bool {
        runs.withLock { runs in
            guard var run = runs[mutation] else {
                if runs.count < Self.names { runs[mutation] = Run(frame: frame, time: time) }
                return false
            }
            let isNext = frame != run.frame && time - run.time <= Self.pause
            run = Run(frame: frame, time: time, count: isNext ? run.count + 1 : 1)
            runs[mutation] = run
            return run.count >= Self.limit
        }
    }
}
