import Foundation

/// Reading of files that are named by a person; what goes wrong is a reason and never a trap.
package enum InputFile {
    /// Why a file cannot be read, as the end of a sentence that begins with its name.
    package struct Failure: Error, Hashable {
        package let reason: String
        /// Whether there is nothing at the path at all.
        package let isMissing: Bool

        package init(reason: String, isMissing: Bool) {
            self.reason = reason
            self.isMissing = isMissing
        }
    }

    /// The path of a file without symbolic links, which is the same for every path that leads to it; the path itself if
    /// nothing is there.
    package static func identity(of path: AbsolutePath) -> AbsolutePath {
        guard let resolved = realpath(path.description, nil) else { return path }
        defer { free(resolved) }
        return AbsolutePath(absolute: String(cString: resolved))
    }

    /// The largest file that is read; positions are kept in 32 bits.
    package static let sizeLimit = 1 << 31

    /// All bytes of a regular file.
    package static func read(_ path: AbsolutePath) throws(Failure) -> [UInt8] {
        switch FileKind(at: path) {
        case nil where FileFinder.isMangled(path.description):
            throw Failure(reason: "cannot be read: its name is not valid UTF-8", isMissing: false)
        case nil: throw Failure(reason: "does not exist", isMissing: true)
        case .folder: throw Failure(reason: "is a folder", isMissing: false)
        case .other: throw Failure(reason: "is no regular file", isMissing: false)
        case .file: break
        }
        guard FileManager.default.isReadableFile(atPath: path.description) else {
            throw Failure(reason: "cannot be read: permission denied", isMissing: false)
        }
        let target = URL(fileURLWithPath: path.description).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        if let size = attributes?[.size] as? Int, size > sizeLimit {
            throw Failure(reason: "is larger than \(sizeLimit >> 30) GB", isMissing: false)
        }
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path.description)))
        } catch {
            throw Failure(reason: "cannot be read: \(error.localizedDescription)", isMissing: false)
        }
    }

    /// The text of a regular file in UTF-8, also where the file is in UTF-16; any other bytes as they are.
    package static func readText(_ path: AbsolutePath) throws(Failure) -> [UInt8] {
        let bytes = try read(path)
        return UTF16Text.utf8(of: bytes) ?? bytes
    }
}
