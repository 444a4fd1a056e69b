#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Writes to file descriptors; in Swift 6 on Linux, the C streams are not accessible.
public enum DescriptorOutput {
    /// Standard output.
    public static let standard: Int32 = 1
    /// Standard error.
    public static let error: Int32 = 2

    /// Writes the whole text, and waits for a slow reader.
    ///
    /// - Returns: false if the reader has closed the descriptor.
    @discardableResult
    public static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            } else if count < 0, errno == EINTR {
                continue
            } else {
                return false
            }
        }
        return true
    }
}

/// The system call takes a pointer; it is valid for the call only.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #else
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
}
