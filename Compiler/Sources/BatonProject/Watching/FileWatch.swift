import BatonCompiler

/// A watch that tells in which folders something may have changed.
///
/// A watch may tell too much, but not too little. It tells where to look; a comparison of the files decides whether
/// something has changed. One thread uses a watch.
package protocol FileWatch: AnyObject {
    /// Watches these folders and no others, but not what is below them. A folder that does not exist is left out.
    /// Returns whether a folder is watched that was not before, in which something may have changed unseen.
    func watch(_ folders: Set<AbsolutePath>) -> Bool

    /// Waits for an event, for at most this number of milliseconds; without a number, it waits until an event comes.
    func wait(milliseconds: Int?) -> WatchEvent

    /// The changes in the watched folders since the last call.
    func takeChanges() -> FileChanges
}

extension FileWatch {
    /// Waits until no event has come for `WatchTimes.settling` milliseconds, but not longer than `WatchTimes.patience`
    /// milliseconds since `start`; returns false if the watch was stopped.
    func settle(since start: ContinuousClock.Instant) -> Bool {
        while (.now - start) / .milliseconds(1) < Double(WatchTimes.patience) {
            switch wait(milliseconds: WatchTimes.settling) {
            case .stopped: return false
            case .timeout: return true
            case .changed: continue
            }
        }
        return true
    }
}

/// The times of a watch in milliseconds.
enum WatchTimes {
    /// A round begins when no event has come for so long.
    static let settling = 10
    /// A round begins so long after the first event at the latest.
    static let patience = 200
    /// After so long without an event, all files are compared once more.
    static let rest = 1000
}

/// The reason why a wait has ended.
package enum WatchEvent: Hashable, Sendable {
    case changed
    case timeout
    /// `WakePipe.wake` was called, so that the watch is to end.
    case stopped
}
