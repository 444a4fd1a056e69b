import Foundation

/// Writes new text to source files that exist.
package enum SourceRewriter {
    package typealias Failure = OutputFile.Failure

    /// Replaces the content of a file. At any time, the file has either all of the old or all of the new text. Its
    /// permissions stay, and a symbolic link goes on leading to the file.
    package static func write(_ bytes: [UInt8], to path: AbsolutePath) throws(Failure) {
        let path = InputFile.identity(of: path)
        var status = stat()
        guard access(path.description, W_OK) == 0, stat(path.description, &status) == 0 else { throw Failure() }
        try OutputFile.write(bytes, to: path, permissions: status.st_mode & 0o7777)
    }
}
