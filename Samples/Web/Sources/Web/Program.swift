import Baton
import BatonHTTP
import BatonTesting
import Foundation
import Hummingbird
import Logging
import NIOCore
import ResponseRedis
import ServerKit
import ServiceLifecycle

/// The server. It prints its address when it is ready.
@main
enum Program {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains("--help") || arguments.contains("-h") { return write(Options.help, to: .standardOutput) }
        do {
            try await run(Options(arguments))
        } catch let failure as Options.Failure {
            stop("\(failure.text)\n\n\(Options.help)", status: 2)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            stop(
                "another program listens at this port already; choose one with --port, or a free one with --port 0\n",
                status: 1)
        } catch {
            stop("\(error)\n", status: 1)
        }
    }

    private static func run(_ options: Options) async throws {
        var logger = Logger(label: "web", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = options.logLevel
        let site = try site(options, logger)
        let health = Health()
        let idle = TimeAmount.nanoseconds(Int64(options.idle / .nanoseconds(1)))
        let app = Application(
            router: Routes(site: site, health: health).router,
            // Half a request, and a connection without one, stay open no longer than this.
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        UnreadResponses(after: max(idle, .milliseconds(100))), ClosingConnections(),
                    ],
                    idleTimeout: idle)),
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                availableConnectionsDelegate: .maximum(mostConnections, logger: logger)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? options.port
                write("http://\(options.host):\(port)/\n", to: .standardOutput)
            },
            logger: logger)
        // The services end one after the other, the last one first: the site answers what has begun, and then closes.
        var configuration = ServiceGroupConfiguration(
            services: [app, Draining(site, time: options.drain), health], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = longestShutdown + options.drain
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The site as the command line wants it. With `--redis`, several processes share who is signed in.
    static func site(_ options: Options, _ logger: Logger) throws -> Site {
        let redis = try options.redis.map { try RedisClient(address(of: $0, options)) }
        return Site(
            network: try network(options, redis), hasSubscriptions: options.url == nil || options.live != nil,
            freshFor: options.fresh, telemetry: Telemetry(logger: logger),
            sessions: redis.map { RedisSessions($0, prefix: prefix) } ?? Sessions())
    }

    /// The time after which a shutdown waits for nobody any longer: no page takes as long.
    private static let longestShutdown = Duration.seconds(40)

    /// Further connections wait until one of these has ended.
    private static let mostConnections = 8_000

    /// The GraphQL server may be down: the site starts all the same, and asks it when somebody comes.
    private static func network(_ options: Options, _ redis: RedisClient?) throws -> any NetworkLayer {
        guard let url = options.url else {
            let embedded = try EmbeddedService()
            return SplitNetwork(queries: embedded, subscriptions: embedded.service)
        }
        let limit = RequestLimit(options.limit)
        var network: any NetworkLayer = HTTPNetwork(url: url, timeout: .seconds(10)).intercepted(by: limit)
        if let redis {
            let storage = RedisStorage(redis, prefix: prefix)
            network = network.intercepted(by: CachingInterceptor(isShared: true, storage: storage))
        }
        guard let live = options.live else { return network }
        return SplitNetwork(queries: network, subscriptions: subscriptions(at: live))
    }

    /// What the names of this site in Redis begin with.
    private static let prefix = "episodes"

    private static func address(of redis: (host: String, port: Int), _ options: Options) -> RedisAddress {
        let environment = ProcessInfo.processInfo.environment
        return RedisAddress(
            host: redis.host, port: redis.port, user: environment["REDIS_USER"],
            password: environment["REDIS_PASSWORD"],
            tls: options.redisHasTLS ? RedisTLS(certificates: options.redisCA) : nil)
    }

    /// Subscriptions over one WebSocket, or over an event stream for each film.
    private static func subscriptions(at url: URL) -> any NetworkLayer {
        // A page that is open should not wait long after an outage, and polls meanwhile.
        let reconnecting = ReconnectPolicy(firstDelay: .milliseconds(500), maximumDelay: .seconds(5))
        if url.scheme == "ws" || url.scheme == "wss" {
            var options = WebSocketOptions()
            (options.reconnecting, options.pingInterval) = (reconnecting, .seconds(10))
            return WebSocketNetwork(url: url, options: options)
        }
        let network = HTTPNetwork(url: url) { _ in ["Accept": "text/event-stream"] }
        return network.intercepted(by: ResubscribingInterceptor(reconnecting))
    }

    private static func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }

    private static func stop(_ text: String, status: Int32) -> Never {
        write("web: \(text)", to: .standardError)
        exit(status)
    }
}
