import Baton
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An HTTP server on 127.0.0.1 that sends the bytes of a test.
///
/// The server listens on a port that the system chooses, serves each connection on a thread of its own, and stops with
/// `stop()`.
package final class LoopbackServer: Sendable {
    /// A received request.
    package struct Request: Sendable {
        package let method: String
        package let target: String
        /// The header fields, by their names in lower case.
        package let headers: [String: String]
        package let body: [UInt8]
        /// The number of the request's connection.
        package let connection: Int
    }

    /// The bytes of an answer, and the treatment of the connection.
    package enum Reply: Sendable {
        /// These bytes; then the connection is closed.
        case bytes([UInt8])
        /// The piece again and again, with a pause between, until the client closes the connection.
        case endless(piece: [UInt8], pauseMilliseconds: Int32)
        /// These bytes, and then silence until the client closes the connection.
        case silence(after: [UInt8])
        /// These bytes; then the connection is kept for further requests.
        case kept([UInt8])
        /// The pieces that a closure writes; then the connection is closed.
        case written(@Sendable (Writer) -> Void)
    }

    /// One connection, for a closure that writes.
    package struct Writer {
        fileprivate let server: LoopbackServer
        fileprivate let connection: Int32

        /// Writes bytes; returns false if the client has gone.
        @discardableResult
        package func write(_ text: String) -> Bool { server.write(Array(text.utf8), to: connection) }

        /// False if the client has gone.
        @discardableResult
        package func write(_ bytes: [UInt8]) -> Bool { server.write(bytes, to: connection) }

        /// Tells the client that nothing more comes.
        package func end() { shutdown(connection, Int32(SHUT_WR)) }

        /// Waits for bytes of the client; none at its end.
        package func read() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &buffer, buffer.count, 0)
            return Array(buffer.prefix(max(count, 0)))
        }

        /// Waits this long for bytes or the end; returns true if there are any.
        package func waits(milliseconds: Int32) -> Bool {
            var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            return poll(&descriptor, 1, milliseconds) > 0
        }

        /// Writes a chunk of a body with `Transfer-Encoding: chunked`; an empty one is the last.
        @discardableResult
        package func writeChunk(_ text: String) -> Bool {
            write(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
        }

        /// Says that nothing more comes, while the client may still send.
        package func endWriting() { shutdown(connection, Int32(SHUT_WR)) }

        /// Waits until the client closes the connection; returns true if that happens within a minute.
        package func waitForClose() -> Bool { (0..<60).contains { _ in server.isClosed(connection, within: 1_000) } }
    }

    package let port: UInt16
    private let listener: Listener
    private let log = Guarded(Log())

    private struct Log {
        var requests: [Request] = []
        var abandoned = 0
        var connections = 0
        var openConnections = 0
    }

    /// The listening socket. The accepting thread closes it, so that no other thread uses its number, or closes a newer
    /// socket with the same number.
    private final class Listener: Sendable {
        let descriptor: Int32
        private let isOver = Guarded(false)

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Makes `accept` fail.
        func stop() {
            isOver.withLock { isOver in
                if !isOver { shutdown(descriptor, Int32(SHUT_RDWR)) }
                isOver = true
            }
        }

        /// The next connection; nil after `stop()`.
        func next() -> Int32? {
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection >= 0 { return connection }
                // A signal to the process, or a client that has gone, does not end the loop.
                if [EINTR, ECONNABORTED, EMFILE].contains(errno), !isOver.withLock({ $0 }) { continue }
                isOver.withLock { isOver in
                    isOver = true
                    close(descriptor)
                }
                return nil
            }
        }
    }

    package struct SetupError: Error {
        package let call: String
        package let code: Int32
    }

    /// - Parameter greeting: What each client gets before it has said anything.
    package init(greeting: String = "", _ respond: @escaping @Sendable (Request) -> Reply) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw SetupError(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The socket interface requires pointers to a `sockaddr`.
        let failure = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> String? in
                if bind(descriptor, pointer, length) != 0 { return "bind" }
                if listen(descriptor, 64) != 0 { return "listen" }
                return getsockname(descriptor, pointer, &length) != 0 ? "getsockname" : nil
            }
        }
        if let failure {
            let code = errno
            close(descriptor)
            throw SetupError(call: failure, code: code)
        }
        let listener = Listener(descriptor)
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [weak self] in
            while let connection = listener.next() {
                guard let self else {
                    close(connection)
                    continue
                }
                // What is written goes out at once, so that its time is known.
                var on: Int32 = 1
                setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                let worker = Thread { self.serve(connection, greeting, respond) }
                worker.start()
            }
        }
        thread.start()
    }

    deinit { stop() }

    /// Refuses further connections.
    package func stop() { listener.stop() }

    package var url: URL { URL(string: "http://127.0.0.1:\(port)/graphql") ?? URL(fileURLWithPath: "/") }
    package var requests: [Request] { log.withLock(\.requests) }
    /// The number of clients that closed the connection during a reply.
    package var abandoned: Int { log.withLock(\.abandoned) }
    /// Forgets the requests so far.
    package func forget() { log.withLock { $0.requests = [] } }
    /// How many connections are open.
    package var openConnections: Int { log.withLock(\.openConnections) }

    // MARK: - Connections

    private func serve(_ connection: Int32, _ greeting: String, _ respond: @Sendable (Request) -> Reply) {
        let number = log.withLock { log in
            log.connections += 1
            log.openConnections += 1
            return log.connections
        }
        defer {
            close(connection)
            log.withLock { $0.openConnections -= 1 }
        }
        guard write(Array(greeting.utf8), to: connection) else { return }
        while let request = read(from: connection, number) {
            log.withLock { $0.requests.append(request) }
            let reply = respond(request)
            if case .kept(let bytes) = reply {
                guard write(bytes, to: connection) else { return }
                continue
            }
            return answer(reply, on: connection, isEarly: request.headers["x-early"] != nil)
        }
    }

    private func answer(_ reply: Reply, on connection: Int32, isEarly: Bool) {
        switch reply {
        case .kept: break
        case .written(let body):
            body(Writer(server: self, connection: connection))
            shutdown(connection, Int32(SHUT_WR))
            while !isClosed(connection, within: 2_000) {}
        case .bytes(let bytes):
            _ = write(bytes, to: connection)
            if isEarly { return }
            shutdown(connection, Int32(SHUT_WR))
            // The client must read to the end before the connection closes. A reset would discard the bytes on their
            // way.
            while !isClosed(connection, within: 2_000) {}
        case .endless(let piece, let pause):
            while write(piece, to: connection), !isClosed(connection, within: pause) {}
            log.withLock { $0.abandoned += 1 }
        case .silence(let bytes):
            _ = write(bytes, to: connection)
            while !isClosed(connection, within: 60_000) {}
            log.withLock { $0.abandoned += 1 }
        }
    }

    /// Waits this long for the client to close the connection. Bytes that arrive in this time are dropped.
    private func isClosed(_ connection: Int32, within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4096)
        return recv(connection, &buffer, buffer.count, 0) <= 0
    }

    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(65_536))
            #if canImport(Glibc)
                let count = send(connection, chunk, chunk.count, Int32(MSG_NOSIGNAL))
            #else
                let count = send(connection, chunk, chunk.count, 0)
            #endif
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func read(from connection: Int32, _ number: Int) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let separator = Array("\r\n\r\n".utf8)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
            // The beginning of a TLS handshake, which this server does not support.
            if bytes.first == 0x16 {
                return Request(method: "TLS", target: "", headers: [:], body: bytes, connection: number)
            }
            guard let end = bytes.firstRange(of: separator) else { continue }
            let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            var lines = head.components(separatedBy: "\r\n")
            let requestLine = lines.removeFirst().components(separatedBy: " ")
            guard requestLine.count >= 2 else { return nil }
            var headers: [String: String] = [:]
            for line in lines {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                headers[line[..<colon].lowercased()] = value
            }
            // A client may ask for a server that goes while it is spoken to.
            if headers["x-drop"] != nil { return nil }
            // A client may ask for an answer before its body is there.
            let length = headers["x-early"] != nil ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
            while bytes.count - end.upperBound < length {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { return nil }
                bytes += buffer.prefix(count)
            }
            return Request(
                method: requestLine[0],
                target: requestLine[1],
                headers: headers,
                body: Array(bytes[end.upperBound...]),
                connection: number
            )
        }
    }
}

extension LoopbackServer.Reply {
    /// A complete response with `Content-Length`.
    package static func response(
        _ status: Int = 200,
        type: String? = "application/json",
        headers: [String] = [],
        _ body: String
    ) -> LoopbackServer.Reply {
        var lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
        if let type { lines.append("Content-Type: \(type)") }
        return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }

    /// A success with JSON.
    package static func json(_ body: String) -> LoopbackServer.Reply { .response(200, body) }

    /// A success with JSON, after which the connection is kept.
    package static func keptJSON(_ body: String) -> LoopbackServer.Reply {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return .kept(Array((head + body).utf8))
    }
}
