import Baton

/// Answers requests with a closure, and keeps them.
final class StubNetwork: NetworkLayer {
    typealias Answer = @Sendable (_ request: NetworkRequest, _ number: Int) async throws -> NetworkResponse

    private let requests = Guarded<[NetworkRequest]>([])
    private let answer: Answer

    init(_ answer: @escaping Answer = { _, _ in .film }) { self.answer = answer }

    /// The requests so far.
    var sent: [NetworkRequest] { requests.withLock(\.self) }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let number = requests.withLock { requests in
            requests.append(request)
            return requests.count
        }
        return try await answer(request, number)
    }
}

/// Gives several responses to each request.
struct StreamingNetwork: NetworkLayer {
    let work: @Sendable (NetworkRequest, NetworkInterceptor.Deliver) async throws -> Void

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.noResponse }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        .delivering { try await work(request, $0) }
    }
}

/// Holds tasks up until it is opened.
final class StepGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    var arrivals: Int { state.withLock(\.arrivals) }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// A list to which tasks append.
final class Notes<Value: Sendable>: Sendable {
    private let values = Guarded<[Value]>([])

    var all: [Value] { values.withLock(\.self) }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

extension NetworkRequest {
    static func make(
        _ id: Int = 1, name: String = "Film", kind: OperationKind = .query, text: String? = "query Film { film }",
        variables: [JSONValue.Member] = [], headers: [String: String] = [:], fetchKey: String? = nil,
        idempotencyKey: String? = nil
    ) -> NetworkRequest {
        NetworkRequest(
            id: id, operationName: name, kind: kind, text: text, variables: variables,
            configuration: RequestConfiguration(headers: headers), fetchKey: fetchKey, idempotencyKey: idempotencyKey)
    }
}

extension NetworkResponse {
    static var film: NetworkResponse { .text(#"{"data":{"film":1}}"#) }

    static func text(_ text: String, hasNext: Bool = false, _ metadata: [String: String] = [:]) -> NetworkResponse {
        NetworkResponse(body: Array(text.utf8), hasNext: hasNext, metadata: metadata)
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

extension NetworkLayer {
    /// All responses to a request.
    func all(_ request: NetworkRequest) async throws -> [NetworkResponse] {
        var all: [NetworkResponse] = []
        for try await response in responses(to: request) { all.append(response) }
        return all
    }
}

struct Broken: Error, Equatable {}
