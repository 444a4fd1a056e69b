public import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// One connection to a server that speaks the protocol of Redis, made when it is needed and again after it was lost.
///
///     let client = try RedisClient(RedisAddress(host: "redis.internal", tls: RedisTLS()))
///     let storage = RedisStorage(client, prefix: "films")
///     let answers = try await client.send([RedisCommand("GET", "films:motto")])
///
/// ``RedisStorage`` and whatever else an application keeps in Redis share a client. After a connection that failed, no
/// other is tried for a pause that grows from 50 milliseconds to 5 seconds; commands fail at once meanwhile.
///
/// State: guarded by a lock of its own, a leaf.
public final class RedisClient: Sendable {
    private struct Line: Sendable {
        let channel: any Channel
        let handler: NIOLoopBound<(RedisConnection, ChannelHandlerContext)>

        /// Called on the event loop of the channel.
        init(_ channel: any Channel) throws {
            let context = try channel.pipeline.syncOperations.context(handlerType: RedisConnection.self)
            guard let handler = context.handler as? RedisConnection else { throw RedisError.closed }
            self.channel = channel
            self.handler = NIOLoopBound((handler, context), eventLoop: channel.eventLoop)
        }
    }

    private struct State {
        var line: EventLoopFuture<Line>?
        /// The number of the last connection.
        var number = 0
        var failures = 0
        var notBefore = NIODeadline.uptimeNanoseconds(0)
        var isClosed = false
    }

    private let address: RedisAddress
    private let group: any EventLoopGroup
    private let timeout: TimeAmount
    private let tls: NIOSSLContext?
    private let state = Mutex(State())

    private static let maximumPending = 1024
    private static let shortestPause = 50
    private static let longestPause = 5000

    /// Makes a client. The connection is made with the first command.
    ///
    /// - Parameters:
    ///   - address: The place of the server.
    ///   - timeout: The time after which a connection without an answer is closed.
    ///   - group: The threads of the connection.
    /// - Throws: An error of SwiftNIO SSL if the certificates of ``RedisAddress/tls`` cannot be read.
    public init(
        _ address: RedisAddress, timeout: TimeAmount = .seconds(1),
        group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    ) throws {
        (self.address, self.group, self.timeout) = (address, group, timeout)
        tls = try address.tls.map { try NIOSSLContext(configuration: $0.configuration) }
    }

    /// Sends commands together, and returns their answers in their order. They are no transaction.
    ///
    /// - Throws: ``RedisError``; ``RedisError/answer(_:)`` for the first error among the answers.
    public func send(_ commands: [RedisCommand]) async throws -> [RedisValue] {
        let answers = try await answers(commands)
        for case .error(let text) in answers { throw RedisError.answer(text) }
        return answers
    }

    private func answers(_ commands: [RedisCommand]) async throws -> [RedisValue] {
        let line = try await line().get()
        return try await line.channel.eventLoop.flatSubmit {
            Self.send(commands, line)
        }.get()
    }

    private static func send(_ commands: [RedisCommand], _ line: Line) -> EventLoopFuture<[RedisValue]> {
        let promise = line.channel.eventLoop.makePromise(of: [RedisValue].self)
        let (handler, context) = line.handler.value
        handler.send(commands, promise, context)
        return promise.futureResult
    }

    /// Closes the connection. No other is made.
    public func close() async {
        let line = state.withLock { state in
            state.isClosed = true
            return state.line
        }
        try? await line?.get().channel.close().get()
    }

    /// The connection, which may still be on its way.
    private func line() throws -> EventLoopFuture<Line> {
        let (line, isNew, number) = try state.withLock { state in
            guard !state.isClosed else { throw RedisError.closed }
            if let line = state.line { return (line, nil as EventLoopPromise<Line>?, state.number) }
            guard NIODeadline.now() >= state.notBefore else { throw RedisError.waiting }
            let promise = group.next().makePromise(of: Line.self)
            state.line = promise.futureResult
            state.number += 1
            return (promise.futureResult, promise, state.number)
        }
        if let isNew { connect(isNew, number) }
        return line
    }

    private func connect(_ promise: EventLoopPromise<Line>, _ number: Int) {
        let (timeout, address, tls) = (timeout, address, tls)
        let bootstrap = ClientBootstrap(group: promise.futureResult.eventLoop)
            .connectTimeout(timeout)
            .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = try NIOSSLClientHandler(context: tls, serverHostname: address.serverName)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    let connection = RedisConnection(timeout: timeout, maximumPending: Self.maximumPending)
                    try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(RedisDecoder()), connection)
                }
            }
        let line: EventLoopFuture<Line> = bootstrap.connect(host: address.host, port: address.port)
            .flatMap { channel in Self.greet(channel, address.greeting) }
        line.whenComplete { [self] (result: Result<Line, any Error>) in
            ended(result, number)
            promise.completeWith(result)
        }
    }

    /// Begins a connection: a password, a database.
    private static func greet(_ channel: any Channel, _ greeting: [RedisCommand]) -> EventLoopFuture<Line> {
        channel.eventLoop.flatSubmit { () -> EventLoopFuture<Line> in
            do {
                let line = try Line(channel)
                if greeting.isEmpty { return channel.eventLoop.makeSucceededFuture(line) }
                return send(greeting, line).flatMapThrowing { answers -> Line in
                    for case .error(let text) in answers {
                        channel.close(promise: nil)
                        throw RedisError.answer(text)
                    }
                    return line
                }
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
    }

    private func ended(_ result: Result<Line, any Error>, _ number: Int) {
        guard case .success(let line) = result else { return lost(number, hasFailed: true) }
        let isClosed = state.withLock { state in
            state.failures = 0
            return state.isClosed
        }
        line.channel.closeFuture.whenComplete { [self] _ in lost(number, hasFailed: false) }
        if isClosed { line.channel.close(promise: nil) }
    }

    /// Between half of a pause in milliseconds and all of it.
    private static func part(of pause: Int64) -> TimeAmount { .milliseconds(.random(in: (pause / 2)...pause)) }

    private func lost(_ number: Int, hasFailed: Bool) {
        state.withLock { (state: inout State) -> Void in
            guard state.number == number else { return }
            state.line = nil
            guard hasFailed else { return }
            let pause = Int64(min(Self.shortestPause << min(state.failures, 10), Self.longestPause))
            state.failures += 1
            // Not all processes come back at the same moment.
            state.notBefore = NIODeadline.now() + Self.part(of: pause)
        }
    }
}

/// The place of a server that speaks the protocol of Redis.
public struct RedisAddress: Sendable {
    /// The name or the address of the host.
    public var host: String
    /// The port.
    public var port: Int
    /// The name of the user; nil for the default one.
    public var user: String?
    /// The password; nil if none is needed.
    public var password: String?
    /// The number of the database.
    public var database: Int
    /// How the connection is made secure; nil for a connection that everybody on the way can read.
    public var tls: RedisTLS?

    /// Makes an address.
    public init(
        host: String = "127.0.0.1", port: Int = 6379, user: String? = nil, password: String? = nil, database: Int = 0,
        tls: RedisTLS? = nil
    ) {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
        self.database = database
        self.tls = tls
    }

    /// The name that the server's certificate must have; nil if the host is an address of the Internet protocol, which
    /// the certificate must have then.
    var serverName: String? { (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil }

    /// The commands with which a connection begins.
    var greeting: [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password {
            commands.append(user.map { RedisCommand("AUTH", $0, password) } ?? RedisCommand("AUTH", password))
        }
        if database != 0 { commands.append(RedisCommand("SELECT", String(database))) }
        return commands
    }
}

extension RedisAddress: CustomStringConvertible, CustomReflectable {
    /// The host and the port, without the password.
    public var description: String { "\(host):\(port)" }
    /// No contents, because of the password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
