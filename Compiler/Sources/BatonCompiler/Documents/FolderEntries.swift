import Foundation

/// The entries of a folder, with the kinds that the system tells along with the names.
///
/// `FileManager` makes an object for each name; a search over 5,000 files took half of its time for them.
enum FolderEntries {
    enum Kind {
        case file
        case folder
        case link
        /// The system does not say.
        case unknown
    }

    /// The names of the entries; nil if the folder cannot be read.
    static func names(in folder: AbsolutePath) -> [String]? { entries(of: folder)?.map(\.name) }

    static func entries(of folder: AbsolutePath) -> [(name: String, kind: Kind)]? {
        guard !folder.description.utf8.contains(0), let directory = opendir(folder.description) else { return nil }
        defer { closedir(directory) }
        var found: [(name: String, kind: Kind)] = []
        while let entry = readdir(directory) {
            // The name ends with a zero byte and may be longer than its declaration.
            let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: start)
            if name == "." || name == ".." { continue }
            let kind: Kind =
                switch Int32(entry.pointee.d_type) {
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .folder
                case Int32(DT_LNK): .link
                default: .unknown
                }
            found.append((name, kind))
        }
        return found
    }
}
