import Baton
import BatonHTTP
import BatonTesting
import Foundation

/// Answers operations as a real server does, whose answers it keeps, or as it did when they were recorded.
///
/// The file of an answer is written before the answer's last message, its failure or its end is passed on. What comes
/// before is passed on at once.
final class Recorder: Sendable {
    let secrets: Secrets
    private let recordings: Recordings
    private let upstream: (any NetworkLayer)?
    private let budget: MemoryBudget
    /// Gets what is wrong with recordings; nil when all is well again.
    private let notice: @Sendable (String?) -> Void

    /// The bytes and the messages of one answer that are kept; its rest is passed on alone.
    private static let longest = 16 << 20
    private static let mostMessages = 10_000

    /// - Parameter upstream: The server that is asked; nil to answer from the recordings alone.
    init(
        _ recordings: Recordings, _ secrets: Secrets, upstream: (any NetworkLayer)?, _ budget: MemoryBudget,
        notice: @escaping @Sendable (String?) -> Void
    ) {
        self.recordings = recordings
        self.secrets = secrets
        self.upstream = upstream
        self.budget = budget
        self.notice = notice
    }

    /// Whether a server is asked.
    var isRecording: Bool { upstream != nil }

    /// The answer to an operation; nil if none was recorded.
    ///
    /// - Parameter headers: The header fields of the client.
    func answer(
        to call: GraphQLCall, _ operation: World.ServedOperation?, _ headers: HTTPHeaders, isIncremental: Bool
    ) -> AnswerQueue? {
        let request = secrets.request(call, headers)
        let name = operation?.name ?? call.operationName ?? ""
        let exchange = FixtureExchange.Key(
            kind: operation?.kind ?? .query, operationName: name, variables: request.variables)
        let key = Recordings.Key(exchange: exchange, document: request.key)
        if let upstream {
            return record(
                upstream, Self.networkRequest(call, exchange.kind, name, headers, isIncremental), key, request)
        }
        return recordings.answer(to: key).map { replay($0) }
    }

    /// Says that there is no answer to an operation.
    func missing(_ call: GraphQLCall, _ operation: World.ServedOperation?) -> Payload {
        let exchange = FixtureExchange.Key(
            kind: operation?.kind ?? .query, operationName: operation?.name ?? call.operationName ?? "",
            variables: secrets.request(call).variables)
        return Payload(
            refusal: recordings.missing(Recordings.Key(exchange: exchange, document: secrets.request(call).key)))
    }

    // MARK: - The real server

    /// Header fields that belong to a connection, to the form of a message or to this server.
    private static let ownFields: Set<String> = [
        "host", "connection", "content-length", "content-type", "transfer-encoding", "expect", "upgrade", "keep-alive",
        "te", "trailer", "accept-encoding", "origin", "referer", "proxy-authorization", "proxy-connection",
    ]

    private static func networkRequest(
        _ call: GraphQLCall, _ kind: OperationKind, _ name: String, _ headers: HTTPHeaders, _ isIncremental: Bool
    ) -> NetworkRequest {
        var sent: [String: String] = [:]
        for field in headers.fields {
            let lower = field.name.lowercased()
            guard !ownFields.contains(lower), !lower.hasPrefix("x-mock-"), !lower.hasPrefix("sec-") else { continue }
            // The events of a subscription are written anew, and the parts of an answer are passed on as they are.
            guard lower != "accept" || kind != .subscription else { continue }
            sent[field.name] = headers[field.name]
        }
        return NetworkRequest(
            id: 1, operationName: name, kind: kind, documentID: call.documentID, text: call.text,
            variables: call.variables.objectValue ?? [], configuration: RequestConfiguration(headers: sent),
            isIncremental: isIncremental)
    }

    private func record(
        _ upstream: any NetworkLayer, _ network: NetworkRequest, _ key: Recordings.Key, _ request: Secrets.Request
    ) -> AnswerQueue {
        let queue = AnswerQueue()
        // The queue ends the task when nobody holds it any more.
        let task = Task { [weak queue] in
            var exchange = FixtureExchange(key: key.exchange, document: request.document)
            var size = 0
            // What the client gets last. It waits for the file, which is there when the client has its answer.
            var last: AnswerQueue.Item?
            var isOver = false
            do {
                for try await response in upstream.responses(to: network) {
                    let shown = self.secrets.struck(response.body, request)
                    size += shown.count
                    let isKept = size <= Self.longest && exchange.steps.count < Self.mostMessages
                    if isKept { exchange.steps.append(.response(shown, hasNext: response.hasNext)) }
                    let payload = Payload(response.body, self.budget)
                    let item = AnswerQueue.Item.message(payload, shown: shown, hasNext: response.hasNext)
                    guard response.hasNext else {
                        last = item
                        isOver = true
                        break
                    }
                    guard await Self.put(item, into: queue) else { break }
                }
                if !isOver, !Task.isCancelled, queue?.isLeft == false {
                    // The stream has ended without a last message.
                    if exchange.steps.isEmpty { exchange.steps.append(.failure(.noResponse)) }
                    isOver = true
                }
            } catch {
                if !Task.isCancelled, !(error is CancellationError) {
                    let failure = self.struck(FixtureFailure(error), request)
                    exchange.steps.append(.failure(failure))
                    last = .failure(failure)
                    isOver = true
                }
            }
            if !isOver { exchange.steps.append(.open) }
            // Of an answer that nobody waited for, nothing is known.
            if exchange.steps != [.open] { self.keep(exchange, key) }
            if let last { _ = await Self.put(last, into: queue) }
            _ = queue?.put(.end)
        }
        queue.ends(with: task)
        return queue
    }

    /// Waits for room; false if nobody reads any more.
    private static func put(_ item: AnswerQueue.Item, into queue: AnswerQueue?) async -> Bool {
        while let queue, !queue.isLeft, !Task.isCancelled {
            if queue.put(item, isBounded: true) { return true }
            try? await BoundedTime.sleep(for: .milliseconds(20), on: ContinuousClock())
        }
        return false
    }

    private func struck(_ failure: FixtureFailure, _ request: Secrets.Request) -> FixtureFailure {
        switch failure {
        case .httpStatus(let status, let body): .httpStatus(status, secrets.struck(body, request))
        case .contentType(let type, let body): .contentType(type, secrets.struck(body, request))
        case .transport(let text): .transport(secrets.struck(text, request))
        default: failure
        }
    }

    private func keep(_ exchange: FixtureExchange, _ key: Recordings.Key) {
        do throws(Recordings.Mistake) {
            try recordings.keep(exchange, key)
            notice(nil)
        } catch {
            notice(error.description)
        }
    }

    // MARK: - Recordings

    private func replay(_ exchange: FixtureExchange) -> AnswerQueue {
        var items: [AnswerQueue.Item] = []
        for step in exchange.steps {
            switch step {
            case .response(let body, let hasNext):
                items.append(.message(Payload(body, budget), shown: body, hasNext: hasNext))
            case .failure(let failure): items.append(.failure(failure))
            case .open: return AnswerQueue(items)
            // Messages follow each other at once, or as a rule says.
            case .pause: break
            }
        }
        return AnswerQueue(items + [.end])
    }
}
