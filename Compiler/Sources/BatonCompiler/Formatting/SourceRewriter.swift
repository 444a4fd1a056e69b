import Foundation

/// Writes new text to source files that exist.
package enum SourceRewriter {
    /// The reason why a file cannot be written, in the system's words.
    package struct Failure: Error, Hashable {
        package let reason: String

        /// Takes the last error of the system.
        fileprivate init() {
            reason = String(cString: strerror(errno))
        }
    }

    /// Replaces the content of a file. At any time, the file has either all of the old or all of the new text. Its
    /// permissions stay, and a symbolic link goes on leading to the file.
    package static func write(_ bytes: [UInt8], to path: AbsolutePath) throws(Failure) {
        let path = InputFile.identity(of: path)
        var status = stat()
        guard access(path.description, W_OK) == 0, stat(path.description, &status) == 0 else { throw Failure() }
        let temporary = path.parent.appending(".baton-\(getpid()).tmp").description
        // Removes the file that an earlier process of the same number may have left.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure() }
        do throws(Failure) {
            try write(bytes, to: descriptor)
            guard chmod(temporary, status.st_mode & 0o7777) == 0, rename(temporary, path.description) == 0 else {
                throw Failure()
            }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes all bytes, and closes the file.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = Failure()
                close(descriptor)
                throw failure
            }
            done += count
        }
        guard close(descriptor) == 0 else { throw Failure() }
    }
}
