import Baton
import BatonHTTP
import Foundation
import NIOTransport
import Testing

/// The servers that `Tests/Integration/servers.py` starts, by the variables with their URLs.
enum Server: String, CaseIterable, CustomTestStringConvertible {
    case strawberry = "BATON_STRAWBERRY"
    /// Another Strawberry server, for tests that restart it.
    case restarted = "BATON_RESTARTED"
    case ariadne = "BATON_ARIADNE"
    /// graphql-core with the current incremental format.
    case core = "BATON_CORE"
    /// graphql-core with the older incremental format.
    case coreOld = "BATON_CORE_OLD"
    /// nginx as a shared cache in front of `core`.
    case cache = "BATON_CACHE"
    /// nginx as a shared cache with TLS and HTTP/2.
    case tls = "BATON_TLS"
    /// `baton-mock`, which has no logbook.
    case mock = "BATON_MOCK"

    /// The servers that answer every query.
    static let all: [Server] = [.strawberry, .ariadne, .core, .coreOld] + mocks
    /// `baton-mock`, if it was there when the servers were started.
    static let mocks: [Server] = Server.mock.value == nil ? [] : [.mock]

    /// Whether the servers run. Without them, the suites are skipped.
    static let areRunning = Server.strawberry.value != nil
    /// Whether nginx runs too.
    static let haveCache = Server.cache.value != nil

    var testDescription: String { rawValue }

    /// Whether the server says which exchanges it had, and cuts connections when it is told to.
    var hasLogbook: Bool { self != .mock }

    private var value: String? { ProcessInfo.processInfo.environment[rawValue] }

    /// The endpoint.
    var url: URL {
        get throws { try #require(value.flatMap { URL(string: $0) }) }
    }

    /// Another path of the server.
    func url(_ path: String, _ query: [String: String] = [:]) throws -> URL {
        var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        parts.path = path
        parts.queryItems = query.isEmpty ? nil : query.map { URLQueryItem(name: $0.key, value: $0.value) }
        return try #require(parts.url)
    }
}

/// The transports of all tests in this target.
enum TransportKind: String, CaseIterable {
    case urlSession, curl, nio

    /// All, or the one that the variable `BATON_TRANSPORT` names.
    static let allCases: [TransportKind] = [.urlSession, .curl, .nio].filter { [nil, $0.rawValue].contains(chosen) }
    static let chosen = ProcessInfo.processInfo.environment["BATON_TRANSPORT"]

    func make() throws -> any HTTPTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .curl: try CurlTransport()
        case .nio: AsyncHTTPTransport()
        }
    }
}

/// The transports that sockets are tried over.
enum SocketKind: String, CaseIterable {
    case curl, nio

    /// All, or the one that the variable `BATON_TRANSPORT` names.
    static let allCases: [SocketKind] = [.curl, .nio].filter { [nil, $0.rawValue].contains(TransportKind.chosen) }

    func make() throws -> any WebSocketTransport {
        switch self {
        case .curl: try CurlWebSocketTransport()
        case .nio: NIOWebSocketTransport()
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite if the servers do not run, as in a plain `swift test`.
    static var withServers: Self {
        .enabled(if: Server.areRunning, "Tests/Integration/servers.py starts the servers and runs a command")
    }

    /// Skips a suite if nginx does not run.
    static var withCache: Self {
        .enabled(if: Server.haveCache, "nginx was not found when the servers were started")
    }
}
