import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// A proxy on loopback that passes requests on, and applies the requested fault to each response.
struct FaultProxy {
    let port: Int
    let traffic = Traffic()
    private let upstream: Upstream

    /// Runs a proxy until `test` returns.
    static func run(_ test: (FaultProxy) async throws -> Void) async throws {
        try await Upstream.run { upstream in
            let made = Mutex<FaultProxy?>(nil)
            try await Loopback.run { channel in
                guard let proxy = made.withLock({ $0 }) else { return channel.close(promise: nil) }
                let connection = try Connection(channel)
                proxy.traffic.begin()
                Task {
                    try? await proxy.serve(connection)
                    proxy.traffic.end()
                }
            } _: { port in
                let proxy = FaultProxy(port: port, upstream: upstream)
                made.withLock { $0 = proxy }
                try await test(proxy)
            }
        }
    }

    private init(port: Int, upstream: Upstream) {
        self.port = port
        self.upstream = upstream
    }

    var url: URL {
        get throws { try #require(URL(string: "http://127.0.0.1:\(port)/graphql")) }
    }

    /// A response in a shape to a request with a fault, before the fault is applied.
    func response(_ shape: Shape) async throws -> RawResponse {
        let headers: HTTPHeaders = [Shape.header: shape.rawValue, Fault.header: "{}"]
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
        return try await upstream.response(to: [.head(head), .end(nil)])
    }

    private func serve(_ connection: Connection) async throws {
        try await connection.run { requests in
            var request: [HTTPClientRequestPart] = []
            // After the end of the stream, only the end of the connection is awaited.
            for try await part in requests where !connection.isFinished {
                switch part {
                case .head(let head):
                    request = [.head(head)]
                    if case .deaf(let pause) = try Fault(head) {
                        connection.giveUp()
                        try await Task.sleep(for: .milliseconds(pause))
                    }
                case .body(let bytes): request.append(.body(.byteBuffer(bytes)))
                case .end(let trailers):
                    request.append(.end(trailers))
                    guard case .head(let head) = request.first else { return }
                    let response = try await upstream.response(to: request)
                    try await act(Fault(head), response, connection)
                }
            }
        }
    }

    /// Sends a response with a fault. The next event after this is the next request, or the end of the connection.
    private func act(_ fault: Fault, _ response: RawResponse, _ connection: Connection) async throws {
        traffic.arrive(fault)
        let bytes = response.bytes
        switch fault {
        case .deaf: break
        case .none:
            try await connection.write(bytes)
            if !response.saysItsEnd { try await connection.finish() }
        case .slow(let size, let pause):
            for start in stride(from: 0, to: bytes.count, by: size) {
                try await Task.sleep(for: .milliseconds(pause))
                try await connection.write(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            if !response.saysItsEnd { try await connection.finish() }
        case .cut(let count):
            try await connection.write(Array(bytes.prefix(count)))
            try await connection.finish()
        case .reset(let count):
            try await connection.write(Array(bytes.prefix(count)))
            try await connection.reset()
        case .silent(let count):
            try await connection.write(Array(bytes.prefix(count)))
        case .wrongLength(let difference):
            let length = "\(response.body.count + difference)"
            try await connection.write(response.with([("Content-Length", length)]).bytes)
        case .longField(let size):
            try await connection.write(response.with([("X-Long", String(repeating: "x", count: size))]).bytes)
        case .manyFields(let count):
            try await connection.write(response.with((0..<count).map { ("X-\($0)", "x") }).bytes)
        case .flood(let framing):
            try await flood(framing, response, connection)
        case .notUTF8:
            try await connection.write(bytes.map { $0 == UInt8(ascii: "Z") ? 0xFF : $0 })
        case .bomb:
            let bomb = Bomb.gzip
            let fields = [("Content-Encoding", "gzip"), ("Content-Length", "\(bomb.count)")]
            try await connection.write(Array(response.with(fields).head.utf8) + bomb)
        case .notHTTP:
            try await connection.write(Array("220 harbour ESMTP\r\n".utf8))
        }
    }

    static let floodSize = 1 << 30

    private func flood(_ framing: Fault.Framing, _ response: RawResponse, _ connection: Connection) async throws {
        let framings = ["Content-Length", "Transfer-Encoding"]
        let fields: [(String, String)] =
            switch framing {
            case .length: [("Content-Length", "\(Self.floodSize)")]
            case .chunks: [("Transfer-Encoding", "chunked")]
            case .close: [("Connection", "close")]
            }
        try await connection.write(Array(response.with(fields, without: framings).head.utf8))
        // The beginning of a response, so that a flood is wrong only by its size.
        let start = response.isChunked ? response.body.firstRange(of: Array("\r\n".utf8))?.upperBound ?? 0 : 0
        let beginning = response.body[start...].prefix { $0 != UInt8(ascii: "Z") && $0 != UInt8(ascii: "1") }
        var piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        if framing == .chunks { piece = Array("100000\r\n".utf8) + piece + Array("\r\n".utf8) }
        for number in 0..<(Self.floodSize >> 20) {
            var sent = piece
            if number == 0 {
                let first = framing == .chunks ? 8 : 0
                sent.replaceSubrange(first..<(first + beginning.count), with: beginning)
            }
            try await connection.write(sent)
            traffic.flood(1 << 20)
        }
        try await connection.finish()
    }
}

extension RawResponse {
    /// Whether the response ends without the end of the connection.
    fileprivate var saysItsEnd: Bool { isChunked || head.lowercased().contains("content-length") }
    fileprivate var isChunked: Bool { head.contains("chunked") }
}

/// One connection of a client to the proxy.
private final class Connection: Sendable {
    private let channel: NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>
    private let finished = Mutex(false)

    init(_ channel: any Channel) throws {
        // Incoming bytes are decoded, and outgoing ones are sent without a change.
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        self.channel = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    }

    func run(_ serve: (NIOAsyncChannelInboundStream<HTTPServerRequestPart>) async throws -> Void) async throws {
        try await channel.executeThenClose { inbound, _ in try await serve(inbound) }
    }

    /// Sends bytes, and returns when the system has them.
    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await channel.channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Whether the proxy answers no further request.
    var isFinished: Bool { finished.withLock { $0 } }

    /// Ignores all further requests.
    func giveUp() { finished.withLock { $0 = true } }

    /// Ends the output. The client has to close the connection.
    func finish() async throws {
        giveUp()
        try await channel.channel.close(mode: .output).get()
    }

    func reset() async throws {
        giveUp()
        let socket = try #require(channel.channel as? any SocketOptionProvider)
        try await socket.setSoLinger(NIOLinger(l_onoff: 1, l_linger: 0)).get()
        try await channel.channel.close().get()
    }
}

/// The requests and connections that a proxy has seen.
final class Traffic: Sendable {
    private struct State {
        var connections = 0
        var arrivals: [Fault: Int] = [:]
        var flooded = 0
        var peak = 0
    }

    private let state = Mutex(State())

    var connections: Int { state.withLock { $0.connections } }
    /// The bytes of floods that were sent.
    var flooded: Int { state.withLock { $0.flooded } }
    /// The largest memory of the process during a flood.
    var peak: Int { state.withLock { $0.peak } }

    /// The number of requests with a fault.
    func arrivals(of fault: Fault) -> Int { state.withLock { $0.arrivals[fault] ?? 0 } }

    func begin() { state.withLock { $0.connections += 1 } }
    func end() { state.withLock { $0.connections -= 1 } }
    func arrive(_ fault: Fault) { state.withLock { $0.arrivals[fault, default: 0] += 1 } }

    func flood(_ count: Int) {
        let memory = Holdings.memory
        state.withLock { state in
            state.flooded += count
            state.peak = max(state.peak, memory)
        }
    }
}

/// A body of 20 KB in gzip that is 20 MB of zeros.
enum Bomb {
    static let inflatedSize = 20_640_260

    /// The head of a gzip file and of a block. Its code for 258 repeated bytes is two zero bits, and the rest of the
    /// body consists of these.
    static let gzip: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 236, 193, 1, 1, 0, 0, 0, 128, 144, 254, 175, 238, 8, 10]
        + [UInt8](repeating: 0, count: 20_000)
}
