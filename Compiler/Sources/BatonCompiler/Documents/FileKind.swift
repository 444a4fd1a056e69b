import Foundation

/// What is at a path, behind symbolic links.
///
/// One system call each: `FileManager` looks up the names of owners with every question, which took most of the time of
/// a run over 5,000 small files.
package enum FileKind: Hashable {
    case file
    case folder
    /// A device, a pipe, a socket.
    case other

    /// Nil if there is nothing, or only a link that leads nowhere.
    package init?(at path: AbsolutePath) {
        var status = stat()
        guard !path.description.utf8.contains(0), stat(path.description, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }

    static func isLink(_ path: AbsolutePath) -> Bool {
        var status = stat()
        guard !path.description.utf8.contains(0), lstat(path.description, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFLNK
    }
}
