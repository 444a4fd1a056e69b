import Foundation
import NIOCore
import NIOPosix

/// A server on loopback whose connections are handled by the test itself, byte by byte.
struct RawServer {
    let url: URL

    /// Serves while `test` runs. An error of `serve` ends its connection only.
    static func run(
        _ serve: @escaping @Sendable (RawConnection) async throws -> Void,
        _ test: @escaping @Sendable (RawServer) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        guard let port = server.channel.localAddress?.port, let url = URL(string: "http://127.0.0.1:\(port)/graphql")
        else { throw ChannelError.unknownLocalAddress }
        try await server.executeThenClose { connections in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await withThrowingDiscardingTaskGroup { served in
                        for try await connection in connections {
                            served.addTask {
                                try? await connection.executeThenClose { inbound, outbound in
                                    try await serve(RawConnection(inbound, outbound))
                                }
                            }
                        }
                    }
                }
                group.addTask { try await test(RawServer(url: url)) }
                // The test ends first, with or without an error.
                defer { group.cancelAll() }
                try await group.next()
            }
        }
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

    /// Reads so many bytes; fewer if the connection ends before.
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
