import Foundation

/// The identities of many files. The links in the path of a folder are followed once for all files in it.
///
/// A search for documents takes the identity of every file; `realpath` alone looks at each folder of each path again.
final class FileIdentities {
    private var folders: [AbsolutePath: AbsolutePath] = [:]

    func identity(of path: AbsolutePath) -> AbsolutePath {
        let parent = path.parent
        if parent == path || FileKind.isLink(path) { return InputFile.identity(of: path) }
        if let known = folders[parent] { return known.appending(path.name) }
        let identity = InputFile.identity(of: parent)
        folders[parent] = identity
        return identity.appending(path.name)
    }
}
