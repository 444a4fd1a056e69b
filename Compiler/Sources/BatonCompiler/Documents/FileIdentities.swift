import Foundation

/// The identities of many files. The links in the path of a folder are followed once for all files in it.
///
/// `realpath` alone looks at each folder of each path again, and an identity for each of 5,000 files cost as much as
/// finding them.
final class FileIdentities {
    private var folders: [AbsolutePath: AbsolutePath] = [:]
    private var last: (folder: AbsolutePath, identity: AbsolutePath)?
    /// The paths that are links, or may be.
    private(set) var links: Set<AbsolutePath> = []
    /// Whether no link is known, so that each path that was asked for is its own identity.
    private(set) var arePlain = true

    /// The folders that were searched, with their links followed.
    var folderIdentities: some Sequence<AbsolutePath> { folders.values }

    /// Notes that a path may be a link. All others are files in the folders that `enter` was told of.
    func noteLink(_ path: AbsolutePath) {
        links.insert(path)
        arePlain = false
    }

    /// Notes that files of a folder are found.
    func enter(_ folder: AbsolutePath) {
        if identity(ofFolder: folder) != folder { arePlain = false }
    }

    func identity(of path: AbsolutePath) -> AbsolutePath {
        if arePlain { return path }
        if links.contains(path) { return InputFile.identity(of: path) }
        let folder = path.parent
        let identity = identity(ofFolder: folder)
        return identity == folder ? path : identity.appending(path.name)
    }

    private func identity(ofFolder folder: AbsolutePath) -> AbsolutePath {
        if let last, last.folder == folder { return last.identity }
        let identity = folders[folder] ?? InputFile.identity(of: folder)
        folders[folder] = identity
        last = (folder, identity)
        return identity
    }
}
