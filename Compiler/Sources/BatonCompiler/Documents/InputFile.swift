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
        let descriptor = open(path.description, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.cannotBeRead(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure.cannotBeRead(errno) }
        guard status.st_size <= sizeLimit else {
            throw Failure(reason: "is larger than \(sizeLimit >> 30) GB", isMissing: false)
        }
        return try read(descriptor, expecting: Int(status.st_size))
    }

    /// The text of a regular file in UTF-8, also where the file is in UTF-16; any other bytes as they are.
    package static func readText(_ path: AbsolutePath) throws(Failure) -> [UInt8] {
        let bytes = try read(path)
        return UTF16Text.utf8(of: bytes) ?? bytes
    }

    /// Reads up to the end, which may have moved since the size was asked for.
    private static func read(_ descriptor: Int32, expecting size: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= sizeLimit {
            // One byte more than there should be shows the end without another round.
            let room = bytes.isEmpty ? size + 1 : 1 << 16
            var problem: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let taken = Foundation.read(descriptor, buffer.baseAddress, room)
                problem = taken < 0 ? errno : 0
                count = max(taken, 0)
            }
            if problem == EINTR { continue }
            guard problem == 0 else { throw Failure.cannotBeRead(problem) }
            if part.isEmpty { return bytes }
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if part.count < room, bytes.count == size { return bytes }
        }
        throw Failure(reason: "is larger than \(sizeLimit >> 30) GB", isMissing: false)
    }
}

extension InputFile.Failure {
    /// By the error number of the system.
    fileprivate static func cannotBeRead(_ number: Int32) -> Self {
        let isForbidden = number == EACCES || number == EPERM
        let reason = isForbidden ? "permission denied" : String(cString: strerror(number))
        return Self(reason: "cannot be read: \(reason)", isMissing: false)
    }
}
