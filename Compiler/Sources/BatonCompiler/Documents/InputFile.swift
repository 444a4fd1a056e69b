import Foundation

/// Reads files that a person names. Every failure is returned as a reason.
package enum InputFile {
    /// The reason why a file cannot be read, worded as the end of a sentence that begins with the file's name.
    package struct Failure: Error, Hashable {
        package let reason: String
        /// Whether nothing exists at the path.
        package let isMissing: Bool

        package init(reason: String, isMissing: Bool) {
            self.reason = reason
            self.isMissing = isMissing
        }
    }

    /// The path of a file after following symbolic links; all paths of one file have the same identity. A path to
    /// nothing is its own identity.
    package static func identity(of path: AbsolutePath) -> AbsolutePath {
        guard let resolved = realpath(path.description, nil) else { return path }
        defer { free(resolved) }
        return AbsolutePath(absolute: String(cString: resolved))
    }

    /// The largest size of a file that is read; positions have 32 bits.
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

    /// All bytes of a regular file that begins with `head` and has at most `limit` bytes; nil for another one, of which
    /// nothing but the head is read.
    package static func read(
        _ path: AbsolutePath, beginningWith head: [UInt8], atMost limit: Int
    ) throws(Failure) -> [UInt8]? {
        guard FileKind(at: path) == .file else { return nil }
        let descriptor = open(path.description, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.cannotBeRead(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure.cannotBeRead(errno) }
        guard (head.count...max(head.count, limit)).contains(Int(status.st_size)) else { return nil }
        var start = [UInt8](repeating: 0, count: head.count)
        let count = pread(descriptor, &start, head.count, 0)
        guard count == head.count, start == head else { return nil }
        return try read(descriptor, expecting: Int(status.st_size))
    }

    /// Reads a regular file as UTF-8; converts UTF-16 to UTF-8, and returns other bytes unchanged.
    package static func readText(_ path: AbsolutePath) throws(Failure) -> [UInt8] {
        let bytes = try read(path)
        return UTF16Text.utf8(of: bytes) ?? bytes
    }

    /// Reads up to the end of the file, whose size may have changed since `size` was determined.
    private static func read(_ descriptor: Int32, expecting size: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= sizeLimit {
            // One byte more than the expected size shows the end of the file without another read.
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
    /// The failure for an error number of the system.
    fileprivate static func cannotBeRead(_ number: Int32) -> Self {
        let isForbidden = number == EACCES || number == EPERM
        let reason = isForbidden ? "permission denied" : String(cString: strerror(number))
        return Self(reason: "cannot be read: \(reason)", isMissing: false)
    }
}
