import BatonCompiler

/// What the system tells of changes in folders.
///
/// A watch may tell too much, but not too little. What it tells is where to look: whether something has changed is
/// found by comparison. One thread uses it.
package protocol FileWatch: AnyObject {
    /// Watches these folders and no others, but not what is below them. A folder that does not exist is left out.
    /// Returns whether a folder is watched that was not before, in which something may have changed unseen.
    func watch(_ folders: Set<AbsolutePath>) -> Bool

    /// Waits for an event; at most so many milliseconds, or without end.
    func wait(milliseconds: Int?) -> WatchEvent

    /// What has happened in the watched folders since this was asked last.
    func takeChanges() -> FileChanges
}

/// The end of a wait.
package enum WatchEvent: Hashable, Sendable {
    case changed
    case timeout
    /// Somebody has asked the watch to end.
    case stopped
}
