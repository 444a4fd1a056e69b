import Baton
import BatonTesting
import Foundation
import Synchronization

/// A service with the part of GitHub's schema that the program uses, and with data that is made from a seed.
///
/// It answers inside the process as a network, and whole HTTP responses to whoever serves it. Both have GitHub's header
/// fields, errors and limits.
public final class GitHubService: Sendable {
    /// An HTTP response.
    public struct Answer: Sendable {
        public var status = 200
        public var headers: [String: String] = [:]
        public let body: [UInt8]
    }

    /// The error of a request during an outage.
    struct Unreachable: TransportError, CustomStringConvertible {
        var advice: String { "" }
        var description: String { "the service cannot be reached" }
    }

    private let service: LocalService
    private let repository: Repository
    private let window: RateWindow
    private let faults: Faults
    private let clock: any Clock<Duration>
    private let time: @Sendable () -> Duration
    /// The time of the start.
    private let start: Date
    private let requests = Counter()
    /// The times of the last mutations, for the secondary limit.
    private let mutations = Mutex<[Duration]>([])

    public init(
        seed: UInt64 = 37, issues: Int = 2000, pulls: Int = 400, comments: Int = 10_000, now: Date = Date(),
        faults: Faults = Faults(), clock: some Clock<Duration> = ContinuousClock()
    ) throws(LocalSchemaError) {
        var corpus = Corpus(seed: seed, issues: issues, pulls: pulls, comments: comments)
        corpus.now = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded())
        repository = Repository(corpus)
        window = RateWindow(limit: faults.limit)
        self.faults = faults
        (self.clock, self.start) = (clock, now)
        let start = clock.now
        time = { start.duration(to: clock.now) }
        service = try LocalService(
            schema: String(decoding: PackageResources.schema_graphql, as: UTF8.self),
            resolvers: Self.resolvers(repository, window, faults))
    }

    /// The answer to a POST with this JSON body, and with this value of the header `Authorization`.
    public func answer(_ body: [UInt8], authorization: String?) async throws -> Answer {
        let request = try? JSONValue.parse(body)
        guard authorization?.lowercased().hasPrefix("bearer ") == true, authorization != "Bearer expired" else {
            return refusal(401, "Bad credentials")
        }
        guard case .string(let text)? = request?["query"] else {
            return refusal(400, "A query attribute must be specified and must be a string.")
        }
        let name: String? = if case .string(let name)? = request?["operationName"] { name } else { nil }
        return try await answer(text, name, request?["variables"] ?? .object([]))
    }

    private func answer(_ text: String, _ operationName: String?, _ variables: JSONValue) async throws -> Answer {
        try await clock.sleep(for: faults.latency)
        if faults.isOffline(after: time()) { return refusal(502, "Server Error") }
        if text.hasPrefix("mutation"), isTooFast() {
            var answer = refusal(
                403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
            answer.headers["retry-after"] = "60"
            return answer
        }
        guard window.take(at: start + TimeInterval(time() / .seconds(1))) else {
            let error: JSONValue = ["type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."]
            return reply(200, ["errors": [error]])
        }
        return reply(200, Self.typed(service.execute(text, operationName: operationName, variables: variables)))
    }

    /// Whether there were more than 80 mutations within a minute.
    private func isTooFast() -> Bool {
        let now = time()
        return mutations.withLock { times in
            times.removeAll { $0 < now - .seconds(60) }
            times.append(now)
            return times.count > 80
        }
    }

    private func refusal(_ status: Int, _ message: String) -> Answer {
        reply(status, ["message": .string(message), "documentation_url": "https://docs.github.com/graphql"])
    }

    private func reply(_ status: Int, _ body: JSONValue) -> Answer {
        let rate = window.current
        let headers = [
            "content-type": "application/json; charset=utf-8",
            "x-github-request-id": "B47A:\(String(requests.next(), radix: 16, uppercase: true))",
            "x-ratelimit-limit": "\(rate.limit)", "x-ratelimit-remaining": "\(rate.remaining)",
            "x-ratelimit-used": "\(rate.used)", "x-ratelimit-resource": "graphql",
            "x-ratelimit-reset": "\(Int(rate.resetAt.timeIntervalSince1970))",
        ]
        return Answer(status: status, headers: headers, body: body.jsonBytes)
    }

    // MARK: - Errors

    /// An error with GitHub's type.
    static func error(_ type: String, _ message: String) -> LocalError {
        LocalError(message, extensions: [.init("type", .string(type))])
    }

    static func missing(_ id: String) -> LocalError {
        error("NOT_FOUND", "Could not resolve to a node with the global id of '\(id)'")
    }

    /// Moves the type of each error from its extensions to the error itself, where GitHub has it.
    private static func typed(_ response: JSONValue) -> JSONValue {
        guard case .object(let members) = response else { return response }
        return .object(
            members.map { member in
                guard member.name == "errors", case .array(let errors) = member.value else { return member }
                return .init("errors", .array(errors.map(typed(error:))))
            })
    }

    private static func typed(error: JSONValue) -> JSONValue {
        guard case .object(let members) = error, let type = error["extensions"]?["type"] else { return error }
        return .object([.init("type", type)] + members.filter { $0.name != "extensions" })
    }
}

extension GitHubService: NetworkLayer {
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        if faults.isOffline(after: time()) { throw Unreachable() }
        let answer = try await answer(request.text ?? "", request.operationName, .object(request.variables))
        guard answer.status == 200 else {
            let delay = answer.headers["retry-after"].flatMap { Int($0) }.map { Duration.seconds($0) }
            throw RelayError.httpStatus(
                answer.status, body: String(decoding: answer.body, as: UTF8.self), retryAfter: delay)
        }
        return NetworkResponse(body: answer.body, metadata: answer.headers)
    }
}
