public import Baton

/// Collects the requests of a short time, and sends them as one HTTP request whose body is a JSON array.
///
///     let network = BatchingNetwork(over: HTTPNetwork(url: endpoint))
///
/// Few servers accept arrays without configuration: Apollo Server, Yoga, Hot Chocolate, Strawberry and Ariadne have an
/// option for arrays. With HTTP/2 single requests are as fast, and a slow request does not hold up the others.
///
/// ### Behavior
///
/// - The first request opens a window. The collected requests are sent in their order at the end of the window, or as
///   soon as there are `maximumCount` requests. The response must be an array. Its element number `i` is passed on,
///   byte by byte, as the response to request number `i`. Its metadata are those of the whole response, and `batch` is
///   the number of requests. The status is that of the whole response too: it does not say that a mutation of the array
///   was not carried out.
/// - Requests with different headers or timeouts are not sent together, and neither are requests whose contexts differ
///   in a value that may affect the response. A step in front that gives each request a header of its own keeps all
///   requests apart. Such a step is ``TracingInterceptor``, or one that adds a key for a mutation.
/// - Subscriptions, files, and operations with `@defer` or `@stream` go to the other network at once. So do
///   mutations, unless `batchesMutations` is true: a server may carry out the mutations of an array at the same time.
///   The idempotency key of each mutation of an array stands in its `extensions.idempotencyKey`.
/// - A request that is alone at the end of its window goes to the other network.
/// - A success that is not an array, or is an array of another length, fails each request with `RelayError.transport`
///   and a ``BatchError``. A failure to send fails each request with its error, and so does an error status without an
///   array.
/// - A request that is cancelled leaves its batch. The sending is cancelled when all requests of a batch are cancelled.
/// - The size of a response is bounded by `send`.
public final class BatchingNetwork: NetworkLayer {
    /// Sends a JSON array in UTF-8 with further headers, and returns the body of the response.
    public typealias Send = @Sendable (_ body: [UInt8], _ headers: [String: String]) async throws -> [UInt8]

    private struct State {
        var line: BatchLine<Member>
        var lastID = 0
        var collected = 0
    }

    /// The name in the metadata of a response for the number of requests that were sent together.
    static let sizeKey = "batch"

    private let network: any NetworkLayer
    private let window: Duration
    private let batchesMutations: Bool
    private let clock: any Clock<Duration>
    private let sendTogether: @Sendable ([NetworkRequest]) async throws -> NetworkResponse
    private let state: Guarded<State>

    /// Makes a network that sends arrays with a closure, and single requests with another network.
    ///
    /// - Parameters:
    ///   - network: The network for requests that are not sent together.
    ///   - window: How long a request waits for others.
    ///   - maximumCount: The largest number of requests in an array.
    ///   - batchesMutations: Whether mutations are sent together too.
    ///   - documentIDs: Where the server expects the id of a document (trusted documents). The texts are not sent then.
    ///     Nil to send the text, and the id beside the text if there is one.
    ///   - clock: The clock that measures the window.
    ///   - send: Sends an array.
    public convenience init(
        in network: any NetworkLayer, window: Duration = .milliseconds(10), maximumCount: Int = 10,
        batchesMutations: Bool = false, documentIDs: DocumentIDShape? = nil,
        clock: any Clock<Duration> = ContinuousClock(), send: @escaping Send
    ) {
        self.init(
            network, window: window, maximumCount: maximumCount, batchesMutations: batchesMutations, clock: clock
        ) { requests in
            NetworkResponse(
                body: try await send(
                    Self.array(of: requests, ids: documentIDs), requests.first?.configuration.headers ?? [:]))
        }
    }

    /// Makes a network whose arrays are sent by the given closure.
    init(
        _ network: any NetworkLayer, window: Duration, maximumCount: Int, batchesMutations: Bool,
        clock: any Clock<Duration>, sendTogether: @escaping @Sendable ([NetworkRequest]) async throws -> NetworkResponse
    ) {
        self.network = network
        self.window = window
        self.batchesMutations = batchesMutations
        self.clock = clock
        self.sendTogether = sendTogether
        state = Guarded(State(line: BatchLine(maximumCount: maximumCount)))
    }

    /// Sends the request, perhaps with others, and waits for its response.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        guard mayBatch(request) else { return try await network.send(request) }
        guard let response = try await batched(request) else { return try await network.send(request) }
        return response
    }

    /// Returns the response of `send`, or the responses of the other network.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        guard mayBatch(request) else { return network.responses(to: request) }
        return .delivering { [self] deliver in
            guard let response = try await batched(request) else {
                return try await network.deliver(request, to: deliver)
            }
            try await deliver(response)
        }
    }

    /// The number of requests that were ever collected; for tests.
    var collected: Int { state.withLock(\.collected) }

    private func mayBatch(_ request: NetworkRequest) -> Bool {
        guard request.kind == .query || request.kind == .mutation && batchesMutations else { return false }
        guard request.configuration.uploads.isEmpty, !request.isIncremental else { return false }
        // A request that the application made by hand may lack the flag, so that its text is searched too.
        return !["@defer", "@stream"].contains { request.text?.contains($0) ?? false }
    }

    /// Waits for the response in an array; nil if the request was alone in its window.
    private func batched(_ request: NetworkRequest) async throws -> NetworkResponse? {
        let member = Member(request)
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            let group = BatchLine<Member>.Group(request)
            let action = state.withLock { state in
                state.collected += 1
                return state.line.add(member, id: id, to: group)
            }
            switch action {
            case .wait: break
            case .send(let members): send(members)
            case .beginWindow(let window): begin(window)
            }
            // The cancellation handler may have run before the request was added.
            if Task.isCancelled { giveUp(member, id) }
            return try await member.flight.value()
        } onCancel: {
            giveUp(member, id)
        }
    }

    private func giveUp(_ member: Member, _ id: Int) {
        _ = state.withLock { $0.line.giveUp(id) }
        member.leave()
    }

    private func begin(_ number: Int) {
        let (clock, window) = (clock, window)
        Task {
            try? await BoundedTime.sleep(for: window, on: clock)
            send(state.withLock { $0.line.endWindow(number) })
        }
    }

    /// Sends requests in a new task, which is cancelled when all requests have left the batch.
    private func send(_ members: [Member]) {
        guard let first = members.first else { return }
        guard members.count > 1 else { return first.flight.end(.success(nil)) }
        let sending = Task { [sendTogether] in
            do {
                let response = try await sendTogether(members.map(\.request))
                let bodies = try Self.divide(response.body, into: members.count)
                var metadata = response.metadata
                metadata[Self.sizeKey] = String(members.count)
                for (member, body) in zip(members, bodies) {
                    member.flight.end(.success(NetworkResponse(body: body, metadata: metadata)))
                }
            } catch {
                for member in members { member.flight.end(.failure(error)) }
            }
        }
        let present = Countdown(from: members.count) { sending.cancel() }
        for member in members { member.join(present) }
    }

    /// The JSON array of requests that are sent together.
    ///
    /// - Throws: `RelayError.configuration` for a request that lacks the text or the id to be sent.
    static func array(of requests: [NetworkRequest], ids shape: DocumentIDShape?) throws(RelayError) -> [UInt8] {
        var body = Array("[".utf8)
        for (index, request) in requests.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += try RequestContent(request, ids: shape, extensions: request.keyExtensions).json
        }
        body.append(UInt8(ascii: "]"))
        return body
    }

    /// Divides the response to requests that were sent together.
    static func divide(_ body: [UInt8], into count: Int) throws(BatchError) -> [[UInt8]] {
        let ranges: [Range<Int>]?
        do { ranges = try JSONValue.elements(of: body) } catch { throw .notJSON(error) }
        guard let ranges else { throw .notAnArray }
        guard ranges.count == count else { throw .wrongCount(requests: count, responses: ranges.count) }
        return ranges.map { Array(body[$0]) }
    }
}
