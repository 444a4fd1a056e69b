import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOTransport
import Testing

/// The transports of all tests in this target.
enum TransportKind: String, CaseIterable {
    case urlSession, curl, nio

    /// All, or the one that the variable `BATON_TRANSPORT` names.
    static let allCases: [TransportKind] = [.urlSession, .curl, .nio].filter { [nil, $0.rawValue].contains(chosen) }
    static let chosen = ProcessInfo.processInfo.environment["BATON_TRANSPORT"]

    /// Makes a transport that trusts the system's certificates, or only this one.
    func make(trusting certificate: Certificate? = nil) throws -> any HTTPTransport {
        switch self {
        case .urlSession: return URLSessionTransport()
        case .curl:
            var options = CurlOptions()
            options.authorities = certificate?.path
            return try CurlTransport(options)
        case .nio: return AsyncHTTPTransport(tls: certificate?.trusting)
        }
    }
}

/// The limits of a network. The default limits are never reached by tests that are not about time, also on a machine
/// that is busy with something else.
struct Limits {
    var timeout = Duration.seconds(200)
    var silenceTimeout = Duration.seconds(120)
    var bodySize = 64 << 20
}

/// Two networks behind a proxy over one transport, and the store after a good response over the first network.
struct Application {
    /// The network whose limits are never reached.
    let patient: HTTPNetwork
    let network: HTTPNetwork
    /// The environment over `network` whose store has the good response.
    let environment: RelayEnvironment
    /// The text of the store after the good response.
    let good: String
    private let snapshot: [UInt8]

    init(_ proxy: FaultProxy, _ transport: any HTTPTransport, _ limits: Limits = Limits()) async throws {
        let patience = Limits()
        patient = HTTPNetwork(
            url: try proxy.url, transport: transport, timeout: patience.timeout,
            silenceTimeout: patience.silenceTimeout)
        network = HTTPNetwork(
            url: try proxy.url, transport: transport, timeout: limits.timeout, silenceTimeout: limits.silenceTimeout,
            maximumBodySize: limits.bodySize)
        let first = RelayEnvironment(network: patient, log: { _ in })
        #expect(try await first.fetch(ShipQuery(id: "ship:1")).data?.ship?.name == "Aurora")
        good = first.records.description
        #expect(good.contains("Aurora"))
        snapshot = first.snapshot()
        environment = RelayEnvironment(network: network, log: { _ in })
        try environment.restore(from: snapshot)
        #expect(environment.records.description == good)
    }

    /// Another environment with the same content, over the same network or another one.
    func copy(over other: (any NetworkLayer)? = nil) throws -> RelayEnvironment {
        let environment = RelayEnvironment(network: other ?? network, log: { _ in })
        try environment.restore(from: snapshot)
        return environment
    }

    /// The text of the store after a response, or a part of one, with the other name of the ship.
    var renamed: String { good.replacingOccurrences(of: "Aurora", with: "Zephyr") }
}

/// The objects of an application. None of them may be left when nothing works for the application any more.
struct Traces {
    private weak var environment: RelayEnvironment?
    private weak var network: HTTPNetwork?
    private weak var transport: AnyObject?

    init(_ application: Application, _ transport: any HTTPTransport) {
        environment = application.environment
        network = application.network
        self.transport = transport as AnyObject
    }

    var areGone: Bool { environment == nil && network == nil && transport == nil }
}

/// The outcome of a request: its responses as text, and its end.
struct Outcome {
    var values: [String] = []
    var error: (any Error)?

    /// The kind of the error; nil for a complete response.
    var kind: ErrorKind? { error.map { ErrorKind($0) } }

    /// Sends the operation that belongs to a shape, with a fault.
    init(_ environment: RelayEnvironment, _ shape: Shape, _ fault: Fault) async throws {
        let configuration = RequestConfiguration(
            headers: [Shape.header: shape.rawValue, Fault.header: try fault.text])
        do {
            switch shape {
            case .length, .chunks, .close:
                let response = try await environment.fetch(ShipQuery(id: "ship:1"), configuration: configuration)
                values.append(response.data?.ship?.name ?? "nothing")
            case .parts:
                let query = ShipWithLogQuery(id: "ship:1", delay: 0)
                for try await response in environment.fetchStream(query, configuration: configuration) {
                    let ship = response.data?.ship
                    let log = ship.flatMap { environment.read($0.fragments.ship_log.reference)?.log }
                    values.append("\(ship?.name ?? "nothing"): \(log ?? "nothing")")
                }
            case .events:
                let subscription = TicksSubscription(count: 3, delay: 0)
                for try await event in environment.subscribe(subscription, configuration: configuration) {
                    values.append(event.data.map { "\($0.ticks)" } ?? "nothing")
                }
            }
        } catch {
            self.error = error
        }
    }
}

/// The kinds of errors that a fault may end in, by the names of their cases.
enum ErrorKind: String, Hashable {
    case timedOut, stalled, refused, tls, closed, failed, compression, notHTTP, bodyTooLarge, overrun, emptyBody
    case closedEarly, partTooLarge, malformedPart
    case contentType, invalidResponse, noResponse, cancelled
    /// An error that the transport did not translate, or one in which no fault may end.
    case other

    init(_ error: any Error) {
        let error = error as? RelayError
        switch error?.underlying {
        case let error as HTTPError: self = Self.of(error)
        case RelayError.StreamError.closedEarly?: self = .closedEarly
        case RelayError.StreamError.partTooLarge?: self = .partTooLarge
        case RelayError.StreamError.malformedPart?: self = .malformedPart
        default:
            let codes: [RelayError.Code: ErrorKind] = [
                .contentType: .contentType, .invalidResponse: .invalidResponse, .noResponse: .noResponse,
                .cancelled: .cancelled,
            ]
            self = error.flatMap { codes[$0.code] } ?? .other
        }
    }

    private static func of(_ error: HTTPError) -> ErrorKind {
        switch error {
        case .timedOut: .timedOut
        case .stalled: .stalled
        case .refused: .refused
        case .tls: .tls
        case .closed: .closed
        case .failed: .failed
        case .compression: .compression
        case .notHTTP: .notHTTP
        case .bodyTooLarge: .bodyTooLarge
        case .overrun: .overrun
        case .emptyBody: .emptyBody
        default: .other
        }
    }
}
