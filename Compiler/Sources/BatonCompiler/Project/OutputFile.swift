import Foundation

/// Writing of artifacts.
enum OutputFile {
    /// Why a file cannot be written, in the words of the system.
    struct Failure: Error {
        let reason: String

        /// Takes the last error of the system.
        init() {
            reason = String(cString: strerror(errno))
        }
    }

    /// Writes beside the place and moves the whole there, so that no file is ever half there.
    ///
    /// It does not wait for the disk, as `Data.write(to:options: .atomic)` does: after a loss of power artifacts are
    /// made again, and waiting took 19 of the 27 seconds that a first run over 1,000 documents needed.
    static func write(_ text: String, to path: AbsolutePath) throws(Failure) {
        let temporary = path.parent.appending(".baton-\(getpid()).tmp").description
        // One that was left behind by a process of the same number is in the way.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure() }
        do throws(Failure) {
            try write(text, to: descriptor)
            guard rename(temporary, path.description) == 0 else { throw Failure() }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes everything and closes.
    private static func write(_ text: String, to descriptor: Int32) throws(Failure) {
        let bytes = Array(text.utf8)
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
