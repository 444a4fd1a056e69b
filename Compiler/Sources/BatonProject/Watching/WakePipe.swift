import Foundation

/// Ends a wait from another thread or from the handler of a signal.
package final class WakePipe: Sendable {
    /// The end of the pipe that can be read after `wake`.
    let reading: Int32
    private let writing: Int32

    /// Makes a pipe; nil if the system has no descriptors left.
    package init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Ends the present wait and all later ones.
    package func wake() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Waits until the descriptor can be read, if there is one, or until `wake` is called.
    func wait(for descriptor: Int32?, milliseconds: Int?) -> WatchEvent {
        let end = milliseconds.map { milliseconds in
            let nanoseconds = UInt64(UInt32(clamping: milliseconds)) * 1_000_000
            return DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + nanoseconds)
        }
        while true {
            var polled = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
            if let descriptor { polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
            var timeout: Int32 = -1
            if let end {
                let now = DispatchTime.now()
                let left = end > now ? (end.uptimeNanoseconds - now.uptimeNanoseconds + 999_999) / 1_000_000 : 0
                timeout = Int32(clamping: left)
            }
            let count = poll(&polled, nfds_t(polled.count), timeout)
            if count < 0 {
                if errno == EINTR { continue }
                return .stopped
            }
            if polled[0].revents != 0 { return .stopped }
            return count == 0 ? .timeout : .changed
        }
    }
}
