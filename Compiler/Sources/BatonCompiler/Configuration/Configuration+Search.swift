/// The search for the configuration of a folder.
extension Configuration {
    /// The path of the nearest configuration: in the folder, or in the nearest folder above it with a configuration.
    package static func nearest(to folder: AbsolutePath) -> AbsolutePath? {
        var folder = folder
        while true {
            let path = folder.appending(fileName)
            if FileKind(at: path) != nil { return path }
            if folder == folder.parent { return nil }
            folder = folder.parent
        }
    }

    /// The configurations below a folder, those of fewer components first. Links, and folders that patterns reach only
    /// by their names, are not entered. At most `folderLimit` folders are searched, for the sake of a home folder.
    package static func below(_ folder: AbsolutePath) -> [AbsolutePath] {
        // Nobody wants the whole disk to be searched.
        if folder == folder.parent { return [] }
        var found: [AbsolutePath] = []
        var level = [folder]
        var room = folderLimit
        while !level.isEmpty, room > 0 {
            var next: [AbsolutePath] = []
            for folder in level.prefix(room) {
                for (name, kind) in FolderEntries.entries(of: folder) ?? [] {
                    let path = folder.appending(name)
                    if name == fileName, FileKind(at: path) == .file {
                        found.append(path)
                    } else if !Glob.isSkipped(name[...]) {
                        let isFolder =
                            switch kind {
                            case .folder: true
                            case .file, .link: false
                            case .unknown: FileKind(at: path) == .folder && !FileKind.isLink(path)
                            }
                        if isFolder { next.append(path) }
                    }
                }
            }
            room -= level.count
            level = next.sorted()
        }
        return found.sorted { ($0.components.count, $0) < ($1.components.count, $1) }
    }

    private static let folderLimit = 5_000
}
