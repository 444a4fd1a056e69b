import Foundation

/// The kind of an entry of a folder itself; links are not followed.
package enum EntryKind: Hashable, Sendable {
    case file
    /// A folder, a link, a device.
    case other

    /// Nil if there is no such entry.
    package init?(at path: AbsolutePath) {
        var status = stat()
        guard !path.description.utf8.contains(0), lstat(path.description, &status) == 0 else { return nil }
        self = status.st_mode & S_IFMT == S_IFREG ? .file : .other
    }
}
