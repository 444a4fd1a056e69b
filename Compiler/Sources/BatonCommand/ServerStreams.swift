import Foundation

/// The streams of a command that talks with another program.
package struct ServerStreams: Sendable {
    /// Returns the next bytes; nil at the end of the stream.
    package let read: @Sendable () -> [UInt8]?
    /// Writes bytes; returns false if nobody reads them any more.
    package let write: @Sendable ([UInt8]) -> Bool

    package init(
        read: @escaping @Sendable () -> [UInt8]?, write: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.read = read
        self.write = write
    }

    /// Standard input and output. A program may have made them so that reading and writing do not wait.
    package static let standard = ServerStreams(
        read: {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, waits(STDIN_FILENO, for: Int16(POLLIN)) { continue }
                return count > 0 ? Array(buffer[..<count]) : nil
            }
        },
        write: { bytes in
            var done = 0
            while done < bytes.count {
                let count = bytes[done...].withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
                if count < 0, waits(STDOUT_FILENO, for: Int16(POLLOUT)) { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        })

    /// Whether the last error of the system is none of the stream, so that the call is made again. Waits until the
    /// stream is ready if it was not.
    private static func waits(_ descriptor: Int32, for events: Int16) -> Bool {
        if errno == EINTR { return true }
        guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
        var state = pollfd(fd: descriptor, events: events, revents: 0)
        poll(&state, 1, -1)
        return true
    }
}
