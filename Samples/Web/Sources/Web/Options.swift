import Foundation
import Logging

/// What the command line says.
struct Options {
    struct Failure: Error { let text: String }

    static let help = """
        usage: Web [--url URL [--live URL] [--limit REQUESTS]] [--redis HOST:PORT [--redis-ca FILE]]
                   [--port PORT] [--host HOST] [--fresh SECONDS] [--drain SECONDS] [--idle SECONDS] [--log LEVEL]

          --url URL         a GraphQL endpoint with the schema of Samples/StarWars; without it the data is in the program
          --live URL        its endpoint for subscriptions: ws or wss for a WebSocket, http or https for event streams;
                            without it pages that are open ask every two seconds
          --limit REQUESTS  how many requests are sent to the GraphQL server at once; 32. Eight times as many wait
          --redis HOST:PORT a Redis or Valkey over which several processes share who is signed in, and the responses of
                            the GraphQL server; rediss://HOST:PORT for one with TLS, and the environment variables
                            REDIS_USER and REDIS_PASSWORD for one that asks for them
          --redis-ca FILE   the certificates, in PEM, by which Redis is known; those of the system without it
          --port PORT       the port to listen at; 8080, or 0 for a free one
          --host HOST       the address to listen at; 127.0.0.1, so that only this machine reaches the site
          --fresh SECONDS   how long data is shown before it is asked for again; 5
          --drain SECONDS   how long requests are still taken after SIGTERM, while /health/ready says no; 0
          --idle SECONDS    how long a connection stays open on which nothing is asked for or the rest of a request is
                            missing, or of whose response nothing is read; 30
          --log LEVEL       what is written to the standard error: debug, info, warning or error; warning

        """

    private static let names = [
        "--url", "--live", "--limit", "--redis", "--redis-ca", "--port", "--host", "--fresh", "--drain", "--idle",
        "--log",
    ]

    var url: URL?
    var live: URL?
    var host = "127.0.0.1"
    var port = 8080
    var fresh = Duration.seconds(5)
    var drain = Duration.zero
    var idle = Duration.seconds(30)
    var limit = 32
    var redis: (host: String, port: Int)?
    var redisHasTLS = false
    var redisCA: String?
    var logLevel = Logger.Level.warning

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard Self.names.contains(name) else { throw Failure(text: "'\(name)' is no option") }
            guard let value = rest.popFirst() else { throw Failure(text: "'\(name)' needs a value") }
            switch name {
            case "--url": url = try Self.endpoint(value, ["http", "https"])
            case "--live": live = try Self.endpoint(value, ["http", "https", "ws", "wss"])
            case "--port":
                guard let port = Int(value), (0...65_535).contains(port) else {
                    throw Failure(text: "'\(value)' is no port")
                }
                self.port = port
            case "--redis":
                redisHasTLS = value.hasPrefix("rediss://")
                let place = value.replacing(/^rediss?:\/\//, with: "")
                let parts = place.split(separator: ":", omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty, let port = Int(parts[1]), (1...65_535).contains(port) else {
                    throw Failure(text: "'\(value)' is no HOST:PORT")
                }
                redis = (String(parts[0]), port)
            case "--redis-ca": redisCA = value
            case "--limit":
                guard let number = Int(value), (1...10_000).contains(number) else {
                    throw Failure(text: "'\(value)' is no number of requests")
                }
                limit = number
            case "--fresh", "--drain", "--idle":
                guard let seconds = Double(value), (0...86_400).contains(seconds) else {
                    throw Failure(text: "'\(value)' is no number of seconds")
                }
                let time = Duration.milliseconds(Int(seconds * 1000))
                switch name {
                case "--fresh": fresh = time
                case "--drain": drain = time
                default: idle = time
                }
            case "--log":
                guard let level = Logger.Level(rawValue: value) else {
                    throw Failure(text: "'\(value)' is no level of a log")
                }
                logLevel = level
            default: host = value
            }
        }
        if redisCA != nil, !redisHasTLS { throw Failure(text: "'--redis-ca' needs '--redis rediss://HOST:PORT'") }
        if live != nil, url == nil { throw Failure(text: "'--live' needs '--url'") }
    }

    private static func endpoint(_ text: String, _ schemes: [String]) throws(Failure) -> URL {
        guard let url = URL(string: text), let scheme = url.scheme, schemes.contains(scheme), url.host != nil else {
            throw Failure(text: "'\(text)' is no URL of an endpoint")
        }
        return url
    }
}
