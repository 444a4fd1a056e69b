import Foundation
import NIOCore
import NIOPosix
import Testing

/// A server on loopback whose connections are handled by the test itself, byte by byte.
struct RawServer {
    let url: URL

    /// Serves while `test` runs. An error of `serve` ends its connection only.
    static func run(
        _ serve: @escaping @Sendable (RawConnection) async throws -> Void, _ test: (RawServer) async throws -> Void
    ) async throws {
        let (server, port) = try await Loopback.listen { channel in
            let connection = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            Task {
                try? await connection.executeThenClose { try await serve(RawConnection($0, $1)) }
            }
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/graphql"))
        do {
            try await test(RawServer(url: url))
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }
}

/// Listening sockets on free ports.
enum Loopback {
    /// Listens, and calls `accept` on the event loop of each connection.
    ///
    /// - Parameter receiveBuffer: The number of unread bytes that the system keeps; nil for many megabytes.
    static func listen(
        receiveBuffer: Int? = nil, _ accept: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> (channel: any Channel, port: Int) {
        var bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let receiveBuffer {
            // Connections inherit the option from the listening socket.
            bootstrap = bootstrap.serverChannelOption(
                .socketOption(.so_rcvbuf), value: SocketOptionValue(receiveBuffer))
        }
        let channel =
            try await bootstrap
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return (channel, try #require(channel.localAddress?.port))
    }
}

/// One connection of a `RawServer`.
final class RawConnection {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received = ByteBuffer()

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    func write(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    func write(_ bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Reads up to and including the blank line after a head; nil if the connection ends before.
    func readHead() async throws -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = received.readableBytesView.firstRange(of: end) {
                return received.readString(length: range.upperBound - received.readerIndex)
            }
            guard try await readMore() else { return nil }
        }
    }

    /// Reads this number of bytes, or fewer if the connection ends before.
    func read(_ count: Int) async throws -> [UInt8] {
        while received.readableBytes < count, try await readMore() {}
        return received.readBytes(length: min(count, received.readableBytes)) ?? []
    }

    /// Reads until the client closes the connection.
    func readToEnd() async throws {
        while try await readMore() { received.clear() }
    }

    private func readMore() async throws -> Bool {
        guard var buffer = try await inbound.next() else { return false }
        received.writeBuffer(&buffer)
        return true
    }
}

/// A value that one task sets and another waits for.
final class Signal<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send(_ value: Value) {
        continuation.yield(value)
    }

    /// Waits for the next value; nil if the task is cancelled.
    func next() async -> Value? {
        for await value in stream { return value }
        return nil
    }
}
