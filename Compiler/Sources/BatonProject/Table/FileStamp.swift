import BatonCompiler
import Foundation

/// What the system says of a file without opening it. Two equal stamps that were taken when the file was at rest mean
/// the same bytes.
package struct FileStamp: Hashable, Sendable {
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// When the file's entry was last changed, also by renaming; nobody can set it.
    package var changed: Int64
    package var number: UInt64
    package var device: UInt64

    /// Nil if there is no regular file; symbolic links are followed.
    package init?(of path: AbsolutePath) {
        var status = stat()
        guard !path.description.utf8.contains(0), stat(path.description, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        self.init(status)
    }

    init(size: Int64, modified: Int64, changed: Int64, number: UInt64, device: UInt64) {
        (self.size, self.modified, self.changed) = (size, modified, changed)
        (self.number, self.device) = (number, device)
    }

    private init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        size = Int64(status.st_size)
        #if canImport(Darwin)
            modified = nanoseconds(status.st_mtimespec)
            changed = nanoseconds(status.st_ctimespec)
        #else
            modified = nanoseconds(status.st_mtim)
            changed = nanoseconds(status.st_ctim)
        #endif
        number = UInt64(truncatingIfNeeded: status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
    }

    /// Whether the file may have been written again after the stamp was taken at `time`, in the same grain of time.
    ///
    /// Some file systems count seconds, or two. The others take the time of the system's last tick.
    func isRecent(at time: Int64) -> Bool {
        let second: Int64 = 1_000_000_000
        let last = max(modified, changed)
        return last > time &- (last % second == 0 ? 2 * second : second / 50)
    }

    /// The present time on the clock that stamps files.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
