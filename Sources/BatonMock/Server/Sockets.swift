import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The calls of POSIX that the server needs.
enum Sockets {
    /// What a call for bytes brings.
    enum Received: Equatable {
        case bytes([UInt8])
        /// The other side is gone, or has said that nothing more comes.
        case end
        /// Nothing came within the time.
        case nothing
    }

    /// Listens at an address. Port 0 is one that the system chooses.
    ///
    /// - Throws: ``MockServer/StartError`` with what to do.
    static func listen(host: String, port: UInt16) throws(MockServer.StartError) -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = streamType
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
            throw .init("There is no address '\(host)'. Give '--host' an address of this machine, such as 127.0.0.1.")
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.pointee.ai_family, streamType, 0)
        guard descriptor >= 0 else { throw .init("The system gives no socket: \(systemError()).") }
        set(SO_REUSEADDR, on: descriptor)
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            systemListen(descriptor, 512) == 0, let bound = localPort(of: descriptor)
        else {
            let code = errno
            let reason = systemError()
            close(descriptor)
            throw .init(
                code == EADDRINUSE
                    ? "The port \(port) is taken. Choose another with '--port', or 0 for one that is free."
                    : "The server cannot listen at \(host), port \(port): \(reason).")
        }
        return (descriptor, bound)
    }

    /// The next connection of a listening socket; nil when it was stopped.
    static func accept(_ listener: Int32, isOver: () -> Bool) -> Int32? {
        while !isOver() {
            let connection = systemAccept(listener)
            if connection >= 0 {
                setNoDelay(connection)
                // A client that reads nothing must not hold its thread.
                setTimeout(SO_SNDTIMEO, seconds: 10, on: connection)
                #if canImport(Darwin)
                    set(SO_NOSIGPIPE, on: connection)
                #endif
                return connection
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            // There is no room for a connection until another one ends.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: pause(milliseconds: 50)
            // The socket was stopped.
            case EBADF, EINVAL, ENOTSOCK: return nil
            // The system also tells of an error of the network that one client had.
            default: pause(milliseconds: 10)
            }
        }
        return nil
    }

    /// Waits this long for bytes.
    static func receive(_ connection: Int32, within milliseconds: Int) -> Received {
        let end = Uptime.milliseconds + max(milliseconds, 0)
        while true {
            var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            let rest = max(end - Uptime.milliseconds, 0)
            let ready = poll(&descriptor, 1, Int32(clamping: rest))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return ready == 0 ? .nothing : .end }
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return count > 0 ? .bytes(Array(buffer.prefix(count))) : .end
        }
    }

    /// Sends all of the bytes; false if the client is gone, or takes nothing for ten seconds.
    static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = systemSend(connection, rest, flags)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    /// Says that nothing more is sent.
    static func endWriting(_ connection: Int32) { _ = shutdown(connection, Int32(SHUT_WR)) }

    /// Makes every call on the socket end.
    static func stop(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    static func close(_ descriptor: Int32) { systemClose(descriptor) }

    /// Waits.
    static func pause(milliseconds: Int) { _ = poll(nil, 0, Int32(clamping: milliseconds)) }

    // MARK: - The system

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    private static func systemError() -> String { String(cString: strerror(errno)) }

    private static func set(_ option: Int32, on descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// What is written goes out at once.
    private static func setNoDelay(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func setTimeout(_ option: Int32, seconds: Int, on descriptor: Int32) {
        var time = timeval()
        time.tv_sec = .init(seconds)
        setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func localPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // The socket interface requires pointers to a `sockaddr`.
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        return withUnsafeBytes(of: &address) { bytes in
            // The port stands at the same place for both versions of the protocol.
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}

// The names of these calls are those of methods above.

private func systemListen(_ descriptor: Int32, _ count: Int32) -> Int32 { listen(descriptor, count) }

private func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

private func systemSend(_ connection: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    send(connection, bytes.baseAddress, bytes.count, flags)
}
