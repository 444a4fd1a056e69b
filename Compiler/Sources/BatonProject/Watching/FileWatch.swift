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

/// The reason why a wait has ended.
package enum WatchEvent: Hashable, Sendable {
    case changed
    case timeout
    /// `WakePipe.wake` was called, so that the watch is to end.
    case stopped
}
